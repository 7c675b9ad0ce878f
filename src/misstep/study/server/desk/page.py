"""The desk's document with its style and script; it holds no data until its token is given.

The token comes after the # of the address, which browsers send to nobody; what is shown comes as
JSON and is put in place as text, never as markup.
"""

from __future__ import annotations

from misstep.study.server.desk.script import SCRIPT

_STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1d2228;--soft:#565f6b;--line:#d4d9df;
--panel:#f5f7f9;--key:#1f5fa8;--on:#fff;--bad:#a3303e;--warn:#8a5a00}
@media (prefers-color-scheme:dark){:root{--paper:#14181d;--ink:#e7ebef;--soft:#a4aebb;
--line:#38414b;--panel:#1c2229;--key:#83b7f2;--on:#14181d;--bad:#f0929c;--warn:#e2b566}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);
font:16px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}
[hidden]{display:none!important}
:focus-visible{outline:2px solid var(--key);outline-offset:2px}
header,main{max-width:1280px;margin:0 auto;padding:0 1rem}
header{padding-top:1rem}
h1{font-size:1.35rem;margin:0;overflow-wrap:anywhere}
h2{font-size:1rem;margin:1.75rem 0 .5rem}
p{margin:.35rem 0}
.soft{color:var(--soft);font-size:.9rem}
.bar{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.75rem 0}
#said{font-weight:600}
#error{color:var(--bad);font-weight:600;overflow-wrap:anywhere}
button,.button{font:inherit;color:var(--ink);background:var(--panel);border:1px solid var(--line);
border-radius:8px;min-height:40px;padding:.3rem .8rem;cursor:pointer}
button.key{border-color:var(--key);font-weight:600}
button.bad{border-color:var(--bad);color:var(--bad)}
button.plain{border:0;background:none;padding:.2rem .3rem;min-height:32px;color:var(--key);
font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;text-decoration:underline}
input,select,textarea{font:inherit;color:var(--ink);background:var(--paper);
border:1px solid var(--line);border-radius:6px;padding:.35rem .5rem;min-height:40px;max-width:100%}
progress{display:block;width:100%;height:8px;accent-color:var(--key)}
#tiles{display:grid;gap:.5rem;grid-template-columns:repeat(3,minmax(0,1fr));margin-top:.75rem}
@media (min-width:720px){#tiles{grid-template-columns:repeat(6,minmax(0,1fr))}}
#tiles div{border:1px solid var(--line);border-radius:8px;background:var(--panel);
padding:.5rem .6rem;min-width:0}
#tiles b{display:block;font-size:1.4rem;line-height:1.2;font-variant-numeric:tabular-nums}
#tiles span{color:var(--soft);font-size:.85rem}
.wide{overflow-x:auto;border:1px solid var(--line);border-radius:8px}
table{border-collapse:collapse;width:100%;font-size:.92rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid var(--line);white-space:nowrap}
tbody tr:last-child>*{border-bottom:0}
th{font-weight:600;color:var(--soft);font-size:.85rem}
tbody th{color:var(--ink);font-size:inherit}
.n{text-align:right}
.flag{color:var(--warn);font-weight:600}
.two{display:grid;gap:0 1.5rem;grid-template-columns:minmax(0,1fr)}
@media (min-width:1000px){.two{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}}
dialog{color:var(--ink);background:var(--paper);border:1px solid var(--line);border-radius:10px;
width:min(46rem,calc(100vw - 1rem));max-height:calc(100dvh - 1rem);padding:1rem}
dialog::backdrop{background:#0008}
dialog h2{margin-top:0;overflow-wrap:anywhere}
fieldset{border:1px solid var(--line);border-radius:8px;margin:1rem 0 0;min-width:0}
.text{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext;background:var(--panel);
border-radius:6px;padding:.5rem;margin:.4rem 0;max-height:40vh;overflow-y:auto}
article{border-top:1px solid var(--line);padding:.75rem 0}
label{display:inline-flex;flex-wrap:wrap;gap:.4rem;align-items:center}
footer{height:3rem}
"""

_BODY = """
<header><h1 id="title">Desk</h1>
<p id="said" role="status"></p><p id="error" role="alert" hidden></p></header>
<main>
<form id="asking" hidden><p>This page needs its token: open the address that misstep printed, or
put in what stands after its #.</p>
<p class="bar"><label>Token <input id="token" autocomplete="off" spellcheck="false"></label>
<button class="key">Open</button></p></form>
<div id="all" hidden>
<div class="bar"><button id="pause" type="button"></button>
<button id="close" type="button"></button><span id="downloads" class="bar"></span></div>
<progress id="meter" max="1" value="0" aria-label="complete, of the people wanted"></progress>
<div id="tiles"></div>
<div class="two">
<section><h2>Arms, so far</h2><div class="wide" tabindex="0"><table id="arms"></table></div>
<p class="soft">The mean measure of the trials that were answered, and how many these are; no answer
counts as none. Stopping because of what stands here would spoil the test: the number of people is
best settled before.</p></section>
<section><h2>Where people stopped</h2><div class="wide" tabindex="0"><table id="stops"></table>
</div></section></div>
<section id="others" hidden><h2>Other versions of this study</h2>
<div class="wide" tabindex="0"><table id="versions"></table></div>
<p class="soft">The study file, or a default text, was another when these people began. Those under
way go on under the version that they consented to; none of them counts here.</p></section>
<section><h2>People</h2>
<p class="bar"><label><input type="checkbox" id="flagged"> only those with signs to look at</label>
</p>
<div class="wide" tabindex="0"><table id="people"></table></div>
<p class="soft">Signs of help from elsewhere: how many screens showed one, and how much in all.
⚑ stands where text was pasted, dropped or came in bursts, where events were made by a script, or
where the page was left for 5 seconds or more. Nobody is left out because of it.</p></section>
</div></main>
<footer></footer>
<dialog id="one" aria-labelledby="who"><h2 id="who"></h2><div id="texts"></div>
<fieldset><legend>Delete this participant</legend>
<p>All that is kept of them is deleted for good, and their place is free again.</p>
<form id="deleting" class="bar"><label>Type the id <input id="typed" autocomplete="off"
spellcheck="false"></label> <button class="bad">Delete</button></form>
<p id="not" class="soft" role="alert"></p></fieldset>
<p class="bar"><button id="back" type="button">Back</button></p></dialog>
"""


def page(nonce: str) -> str:
    """The whole document; its own style and script carry the nonce."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="robots" content="noindex"><title>Desk</title><link rel="icon" href="data:,">'
        f'<style nonce="{nonce}">{_STYLE}</style></head><body>{_BODY}'
        f'<script nonce="{nonce}">{SCRIPT}</script></body></html>'
    )
