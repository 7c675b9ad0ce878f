"""The look of the page: one style sheet, light and dark, from a phone's width up, and in print."""

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1d2228",
    "soft": "#565f6b",
    "line": "#d4d9df",
    "panel": "#f5f7f9",
    "base": "#1f5fa8",
    "arm": "#b3470f",
    "correct": "#2f7d5b",
    "wrong": "#b23a48",
    "unparsed": "#8a6d1b",
    "refused": "#6b4fa0",
    "truncated": "#5d6773",
    "empty": "#a9b1bb",
    "on": "#ffffff",
    "on-empty": "#1d2228",
    "hurts": "#a3303e",
    "helps": "#236b4b",
    "same": "#39434f",
    "open": "#7a5b0c",
    "mark": "#ffe69c",
    "on-mark": "#1d2228",
}
DARK = LIGHT | {
    "paper": "#14181d",
    "ink": "#e7ebef",
    "soft": "#a4aebb",
    "line": "#38414b",
    "panel": "#1c2229",
    "base": "#83b7f2",
    "arm": "#f2a065",
    "wrong": "#b5485a",
    "refused": "#755bb0",
    "on-empty": "#14181d",
    "hurts": "#b5485a",
    "helps": "#2f7d5b",
    "same": "#5d6773",
    "open": "#8a6d1b",
    "mark": "#6b5410",
    "on-mark": "#ffffff",
}
"""The colours by name, in a light and a dark surrounding. What is on paper is light."""


def _declared(colours: dict[str, str]) -> str:
    return ";".join(f"--{name}:{value}" for name, value in colours.items())


_RULES = """
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:1080px;margin:0 auto;padding:1.25rem 1rem 4rem}
a{color:var(--base);text-underline-offset:.15em}
:focus-visible{outline:2px solid var(--base);outline-offset:2px}
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0 .25rem}
h2{font-size:1.35rem;line-height:1.25;margin:3.5rem 0 .75rem;padding-top:1rem;
border-top:1px solid var(--line);overflow-wrap:anywhere}
h3{font-size:1.1rem;line-height:1.3;margin:2.25rem 0 .5rem;overflow-wrap:anywhere}
h4{font-size:1rem;margin:1.25rem 0 .25rem}
p{margin:.4rem 0;max-width:46rem}
.lead{font-size:1.15rem;margin:.5rem 0 1rem}
.soft,figcaption,caption{color:var(--soft);font-size:.9rem}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;margin:1rem 0 0}
nav a{display:inline-block;padding:.3rem 0;overflow-wrap:anywhere}
.verdict{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:1rem;
margin:1rem 0}
.verdict h3{margin:0 0 .5rem}
.word{display:inline-block;color:var(--on);border-radius:4px;padding:.1rem .6rem;font-weight:700;
margin-right:.5rem}
.hurts{background:var(--hurts)}.helps{background:var(--helps)}.same{background:var(--same)}
.open{background:var(--open)}
.effect{font-size:1.9rem;font-weight:700;line-height:1.2;margin:.6rem 0 .3rem}
.effect span,.effect small{display:inline-block;white-space:nowrap}
.effect small{font-size:1rem;font-weight:400;color:var(--soft)}
ul.plain{margin:.6rem 0 0;padding-left:1.2rem}
ul.plain li{margin:.2rem 0;max-width:46rem}
.figures{display:grid;gap:1rem 2.5rem;grid-template-columns:minmax(0,1fr)}
@media (min-width:860px){.figures{grid-template-columns:repeat(2,minmax(0,1fr))}}
figure{margin:0;min-width:0}
.figures h3{margin-top:1.25rem}
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
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;padding-bottom:.3rem}
caption span{display:block;position:sticky;left:0;max-width:min(46rem,calc(100vw - 4.5rem))}
th,td{padding:.3rem .9rem .3rem 0;text-align:right;vertical-align:top;
border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child{text-align:left}
thead th{font-weight:600;vertical-align:bottom}tbody th{font-weight:400}
tbody th:first-child{white-space:normal}
table.facts th,table.facts td{text-align:left}
table.facts td{white-space:normal;overflow-wrap:anywhere}
table.summary{width:100%}
table.summary th,table.summary td{text-align:left;white-space:normal;padding:.6rem .9rem .6rem 0}
table.summary tbody th{overflow-wrap:anywhere}
table.summary strong,table.summary small{white-space:nowrap}
table.summary small{display:block;color:var(--soft);font-size:.85rem}
@media screen and (max-width:640px){
th,td{padding-right:.7rem}th:last-child,td:last-child{padding-right:0}
tbody th:first-child{white-space:normal}
.quiet tbody th:first-child{white-space:nowrap}
table.summary,table.summary caption,table.summary tbody,
table.summary tr,table.summary th,table.summary td{display:block}
table.summary thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
table.summary tr{border:1px solid var(--line);border-radius:6px;background:var(--panel);
margin:.75rem 0;padding:.5rem .75rem}
table.summary th,table.summary td{border:0;padding:.2rem 0}
table.summary tbody th{font-weight:600}
table.summary small{display:inline;padding-left:.3rem}
table.summary td[data-label]{color:var(--soft);font-size:.9rem}
table.summary td[data-label]::before{content:attr(data-label)}}
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0;background:var(--panel)}
details.quiet{border:0;background:none;margin:.3rem 0}
summary{cursor:pointer;padding:.5rem .75rem;overflow-wrap:anywhere}
details.quiet>summary{padding:.3rem 0;color:var(--soft);font-size:.9rem}
details>div{padding:0 .75rem .75rem}
details.quiet>div{padding:0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext;background:var(--paper);
border:1px solid var(--line);border-radius:4px;padding:.6rem;margin:.3rem 0;
font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.asked{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--paper);
border:1px solid var(--line);border-radius:4px;padding:.6rem;margin:.3rem 0;
font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.asked img{display:inline-block;vertical-align:middle;max-width:100%;height:auto;margin:.2rem}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.95em}
mark{background:var(--mark);color:var(--on-mark);border-radius:2px;padding:0 .1em}
.pair{display:grid;gap:.5rem 1rem;grid-template-columns:minmax(0,1fr);padding-top:.5rem}
@media (min-width:640px){.pair{grid-template-columns:repeat(2,minmax(0,1fr))}}
dl{margin:.5rem 0}dt{margin-top:.75rem;overflow-wrap:anywhere}dd{margin:0}
@media print{
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{font-size:10.5pt}
main{max-width:none;padding:0}
nav,details.quiet>summary,.save{display:none}
details::details-content{content-visibility:visible;block-size:auto}
h2,h3,h4,summary,caption{break-after:avoid}
figure,.verdict,tr{break-inside:avoid}
thead{display:table-header-group}
.table{overflow:visible}
table{max-width:100%;font-size:9pt}
caption span{position:static;max-width:none}
th,td{white-space:normal;padding-right:.5rem}
.figures{display:block}
pre{font-size:8.5pt}}
"""

STYLE = (
    f":root{{color-scheme:light dark;{_declared(LIGHT)}}}"
    f"@media screen and (prefers-color-scheme:dark){{:root{{{_declared(DARK)}}}}}"
    f"{_RULES}"
)
