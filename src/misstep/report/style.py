"""The look of the page: one style sheet, light and dark, from a phone's width up."""

STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1d2228;--soft:#565f6b;--line:#d4d9df;
--panel:#f5f7f9;--base:#1f5fa8;--arm:#b3470f;--correct:#2f7d5b;--wrong:#b23a48;--unparsed:#8a6d1b;
--refused:#6b4fa0;--truncated:#5d6773;--empty:#a9b1bb;--on:#fff;--on-empty:#1d2228;--hurts:#a3303e;
--helps:#236b4b;--same:#39434f;--open:#7a5b0c}
@media (prefers-color-scheme:dark){:root{--paper:#14181d;--ink:#e7ebef;--soft:#a4aebb;
--line:#38414b;--panel:#1c2229;--base:#83b7f2;--arm:#f2a065;--correct:#2f7d5b;--wrong:#b5485a;
--unparsed:#8a6d1b;--refused:#755bb0;--truncated:#5d6773;--empty:#a9b1bb;--on-empty:#14181d;
--hurts:#b5485a;--helps:#2f7d5b;--same:#5d6773;--open:#8a6d1b}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:1080px;margin:0 auto;padding:1.25rem 1rem 4rem}
h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0 .25rem}
h2{font-size:1.3rem;line-height:1.25;margin:3rem 0 .5rem;padding-top:1rem;
border-top:1px solid var(--line);overflow-wrap:anywhere}
h3{font-size:1.05rem;margin:2rem 0 .5rem}
h4{font-size:1rem;margin:1.25rem 0 .25rem}
p{margin:.4rem 0;max-width:46rem}
.soft,figcaption,caption{color:var(--soft);font-size:.9rem}
.verdict{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:1rem;
margin:1rem 0}
.verdict h2{margin:0 0 .5rem;padding:0;border:0;font-size:1.05rem;font-weight:600}
.word{display:inline-block;color:#fff;border-radius:4px;padding:.1rem .6rem;font-weight:700;
margin-right:.5rem}
.hurts{background:var(--hurts)}.helps{background:var(--helps)}.same{background:var(--same)}
.open{background:var(--open)}
.effect{font-size:1.9rem;font-weight:700;line-height:1.2;margin:.6rem 0 .1rem}
.effect small{font-size:1rem;font-weight:400;color:var(--soft)}
ul.warnings{margin:.6rem 0 0;padding-left:1.2rem}
ul.warnings li{margin:.2rem 0}
.figures{display:grid;gap:1.5rem 2.5rem;grid-template-columns:minmax(0,1fr)}
@media (min-width:860px){.figures{grid-template-columns:repeat(2,minmax(0,1fr))}}
figure{margin:0;min-width:0}
.figures h3{margin-top:1rem}
svg{display:block;width:100%;max-width:440px;height:auto;overflow:visible}
svg *{stroke-linejoin:round}
svg text{font-size:12px;font-family:inherit}
.o-correct{background:var(--correct)}
.o-wrong{background:var(--wrong)}
.o-unparsed{background:var(--unparsed)}
.o-refused{background:var(--refused)}
.o-truncated{background:var(--truncated)}
.o-empty{background:var(--empty)}
.key{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.45em}
.item{display:inline-block;margin-right:1em}
.dot{border:2px solid var(--base);border-radius:50%}.box{background:var(--arm)}
.table{overflow-x:auto;margin:.5rem 0}
.table:focus-visible{outline:2px solid var(--base)}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;padding-bottom:.3rem}
th,td{padding:.3rem .9rem .3rem 0;text-align:right;vertical-align:top;
border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child{text-align:left}
thead th{font-weight:600}tbody th{font-weight:400}
table.facts th,table.facts td{text-align:left}
table.facts td{white-space:normal;overflow-wrap:anywhere}
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0;background:var(--panel)}
summary{cursor:pointer;padding:.5rem .75rem;overflow-wrap:anywhere}
details>div{padding:0 .75rem .75rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext;background:var(--paper);
border:1px solid var(--line);border-radius:4px;padding:.6rem;margin:.3rem 0;max-height:24rem;
overflow:auto;font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media print{details{break-inside:avoid}pre{max-height:none}}
"""
