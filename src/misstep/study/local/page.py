"""What the pages for one person share: the document, its looks, and how it speaks to the server."""

from __future__ import annotations

_STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1d2228;--soft:#565f6b;--line:#d4d9df;
--panel:#f5f7f9;--key:#1f5fa8;--on:#fff;--bad:#a3303e;--good:#1d6b42}
@media (prefers-color-scheme:dark){:root{--paper:#14181d;--ink:#e7ebef;--soft:#a4aebb;
--line:#38414b;--panel:#1c2229;--key:#83b7f2;--on:#14181d;--bad:#f0929c;--good:#7ecb9f}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100dvh;display:flex;flex-direction:column;background:var(--paper);
color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}
[hidden]{display:none!important}
:focus-visible{outline:2px solid var(--key);outline-offset:2px}
header,main,#bar>div{width:100%;margin:0 auto;padding:0 1rem}
header{padding-top:.75rem}
#count{display:flex;justify-content:space-between;color:var(--soft);font-size:.9rem;
font-variant-numeric:tabular-nums}
progress{display:block;width:100%;height:6px;margin:.35rem 0 0;accent-color:var(--key)}
main{flex:1;padding-top:.75rem;padding-bottom:1.5rem}
.soft{color:var(--soft);font-size:.9rem}
#bar{position:sticky;bottom:0;background:var(--paper);border-top:1px solid var(--line);
padding:.6rem 0 calc(.6rem + env(safe-area-inset-bottom))}
.keys{display:grid;gap:.5rem}
button{font:inherit;color:var(--ink);background:var(--panel);border:1px solid var(--line);
border-radius:8px;min-height:48px;padding:.35rem .6rem;cursor:pointer;line-height:1.2;
touch-action:manipulation}
button.main{font-weight:600}
button:disabled{opacity:.4;cursor:not-allowed}
kbd{font:12px ui-monospace,Menlo,Consolas,monospace;color:var(--soft);border:1px solid var(--line);
border-radius:3px;padding:0 .3em;margin-left:.35em;white-space:nowrap}
@media (hover:none){kbd{display:none}}
#foot{display:flex;justify-content:space-between;gap:.5rem;margin-top:.4rem}
#foot button{min-height:40px;border:0;background:none;color:var(--soft);font-size:.9rem}
#error{color:var(--bad);font-weight:600;margin:.5rem 0}
"""

_SCRIPT = """
"use strict";
const token = new URLSearchParams(location.search).get("token") || "";
const at = id => document.getElementById(id);
// Who presses twice by mistake has not seen what has just come.
const SOON = 150;
let busy = false, isOver = false, shownAt = 0;

async function call(path, body) {
  const address = path + "?token=" + encodeURIComponent(token);
  const asked = body === undefined ? {} : {method: "POST", body: JSON.stringify(body)};
  const reply = await fetch(address, asked);
  const found = await reply.json();
  if (!reply.ok) throw new Error(found.error);
  return found;
}

// What the server says; null where it can't, of which the page tells. KEPT is the page's own.
async function go(path, body) {
  if (busy || isOver) return null;
  busy = true;
  try {
    const found = await call(path, body);
    fail("");
    return found;
  } catch (error) {
    fail("Not saved: " +
      (error instanceof TypeError ? "misstep has stopped. " + KEPT : error.message));
    return null;
  } finally {
    busy = false;
  }
}

function fail(text) { at("error").textContent = text; at("error").hidden = !text; }

function made(name, kind, text) {
  const one = document.createElement(name);
  one.className = kind;
  one.textContent = text;
  return one;
}
"""


def document(nonce: str, title: str, style: str, body: str, script: str) -> str:
    """A page's own style and script after what all share; `nonce` is what its policy lets run.

    `body` has the elements #error and, if they are to look alike, #count, #bar, .keys and #foot;
    `script` names in KEPT what is safe when the server has gone.
    """
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<link rel="icon" href="data:,"><title>{title}</title>'
        f'<style nonce="{nonce}">{_STYLE}{style}</style></head><body>{body}'
        f'<script nonce="{nonce}">{_SCRIPT}{script}</script></body></html>'
    )
