"""The labelling page: one document with its style and script, nothing from outside.

What is shown comes from /state as JSON and is put in place as text, never as markup.
"""

from __future__ import annotations

from misstep.study.local.page import document

_STYLE = """
header,main,#bar>div{max-width:1100px}
#count{gap:1rem;overflow-wrap:anywhere}
h1{font-size:.9rem;font-weight:600;color:var(--soft);margin:0 0 .25rem}
h2{font-size:.9rem;font-weight:600;color:var(--soft);margin:0 0 .35rem;display:flex;gap:.5rem;
align-items:center}
h2 b{display:inline-block;min-width:1.6em;text-align:center;border-radius:4px;color:var(--on);
background:var(--key)}
.text{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext;margin:0}
#words{font-size:1.05rem;max-height:45vh;overflow-y:auto}
#pictures{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:.5rem}
#pictures img{max-width:100%;max-height:45vh;background:#fff;border:1px solid var(--line)}
.sides{display:grid;gap:.75rem;margin-top:1rem;grid-template-columns:minmax(0,1fr)}
@media (min-width:720px){.sides{grid-template-columns:repeat(2,minmax(0,1fr))}}
.side{border:1px solid var(--line);border-radius:8px;background:var(--panel);padding:.75rem;
min-width:0}
.answer{font-size:1.25rem;font-weight:600;margin:0 0 .35rem}
.answer.long{font:14px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.note{color:var(--bad);margin:0 0 .35rem}
summary{cursor:pointer;color:var(--soft);font-size:.9rem;padding:.35rem 0}
.keys{grid-template-columns:repeat(6,minmax(0,1fr))}
button{grid-column:span 2}
button.main{grid-column:span 3;border-color:var(--key)}
@media (min-width:720px){.keys{grid-template-columns:repeat(10,minmax(0,1fr))}
button,button.main{grid-column:span 2}}
"""

_BODY = """
<header><div id="count" aria-live="polite"><span id="progress"></span><span id="who"></span></div>
<progress id="meter" max="1" value="0" aria-label="labelled"></progress>
<p id="error" role="alert" hidden></p></header>
<main>
<div id="asking" hidden>
<h1>Which reply answers this rightly?</h1>
<p id="words" class="text" tabindex="0"></p><div id="pictures"></div>
<p id="missing" class="soft" hidden></p>
<div class="sides">
<section class="side" id="left"><h2><b>1</b></h2></section>
<section class="side" id="right"><h2><b>2</b></h2></section>
</div></div>
<div id="done" hidden><h1>Labelling</h1><p id="said"></p>
<p><button class="main" id="finish" type="button">Finish</button></p></div>
</main>
<div id="bar"><div>
<div class="keys" id="keys">
<button class="main" type="button" data-choice="left">1 is right<kbd>1 ←</kbd></button>
<button class="main" type="button" data-choice="right">2 is right<kbd>2 →</kbd></button>
<button type="button" data-choice="both">Both<kbd>B</kbd></button>
<button type="button" data-choice="neither">Neither<kbd>N</kbd></button>
<button type="button" data-choice="cannot_say">Can’t say<kbd>C</kbd></button>
</div>
<div id="foot"><button type="button" id="undo">Undo<kbd>U</kbd></button>
<button type="button" id="whole">Whole replies<kbd>W</kbd></button>
<button type="button" id="stop">Stop here</button></div>
</div></div>
"""

_SCRIPT = """
const KEYS = {"1": "left", "arrowleft": "left", "2": "right", "arrowright": "right",
  "b": "both", "n": "neither", "c": "cannot_say"};
const KEPT = "All earlier labels are kept; misstep label goes on.";
let state = null, isOpen = false;

async function move(path, body) {
  const found = await go(path, body);
  if (!found) return false;
  state = found;
  show();
  return true;
}

function pretty(text) {
  if (!/^[\\[{]/.test(text)) return text;
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

function side(id, one) {
  const box = at(id);
  while (box.children.length > 1) box.lastChild.remove();
  if (one.note) box.append(made("p", "note", one.note + " It counts as wrong."));
  if (one.answer) {
    const text = pretty(one.answer);
    box.append(made("p", "text answer" + (text.length > 60 ? " long" : ""), text));
  }
  if (!one.reply) return;
  if (!one.answer) { box.append(made("p", "text", one.reply)); return; }
  const whole = made("details", "", "");
  whole.open = isOpen;
  whole.append(made("summary", "", "Whole reply"), made("p", "text", one.reply));
  box.append(whole);
}

function pictures(question) {
  const shown = question.pictures.map((source, place) => {
    const picture = new Image();
    picture.src = source;
    picture.alt = "picture " + (place + 1) + " of the question";
    return picture;
  });
  at("pictures").replaceChildren(...shown);
  at("missing").hidden = !question.missing;
  at("missing").textContent = "Pictures that the run did not keep: " + question.missing;
}

function show() {
  const question = state.question, total = state.total;
  at("progress").textContent = state.done + " of " + total + " labelled";
  at("who").textContent = state.labeller;
  at("meter").max = total || 1;
  at("meter").value = state.done;
  at("asking").hidden = at("keys").hidden = at("stop").hidden = !question;
  at("done").hidden = !!question;
  at("undo").disabled = !state.done;
  at("whole").hidden = !question || !(question.left.answer || question.right.answer);
  if (!question) {
    at("said").textContent = "All " + total + " are labelled. Every label is kept.";
    return;
  }
  at("words").textContent = question.words;
  at("words").scrollTop = 0;
  pictures(question);
  side("left", question.left);
  side("right", question.right);
  for (const button of at("keys").children) {
    button.disabled = !question.choices.includes(button.dataset.choice);
  }
  scrollTo(0, 0);
  shownAt = performance.now();
}

function judge(choice) {
  if (!state || !state.question || performance.now() - shownAt < SOON) return;
  if (state.question.choices.includes(choice)) {
    move("/label", {question: state.question.id, choice});
  }
}

function toggle() {
  isOpen = !isOpen;
  for (const one of document.querySelectorAll("details")) one.open = isOpen;
}

async function finish() {
  if (!await move("/finish", {})) return;
  isOver = true;
  at("asking").hidden = at("bar").hidden = at("finish").hidden = true;
  at("done").hidden = false;
  at("said").textContent = "Finished with " + state.done + " of " + state.total +
    " labelled. Every label is kept; this page can be closed.";
}

at("keys").addEventListener("click", event => {
  const button = event.target.closest("button");
  if (button) { button.blur(); judge(button.dataset.choice); }
});
at("undo").addEventListener("click", () => { at("undo").blur(); move("/undo", {}); });
at("whole").addEventListener("click", toggle);
at("stop").addEventListener("click", finish);
at("finish").addEventListener("click", finish);
addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const key = event.key.toLowerCase();
  if (key in KEYS) { event.preventDefault(); judge(KEYS[key]); }
  else if (key === "u" && state && state.done) move("/undo", {});
  else if (key === "w") toggle();
});
move("/state");
"""


def page(nonce: str) -> str:
    """The document; `nonce` is what its policy lets run."""
    return document(nonce, "Labelling", _STYLE, _BODY, _SCRIPT)
