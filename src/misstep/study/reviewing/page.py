"""The page for the review of faces: one document with its style and script, nothing from outside.

Problems come from /problems as JSON and are put in place as text, never as markup.
"""

from __future__ import annotations

from misstep.study.local.page import document

_STYLE = """
header,main,#bar>div{max-width:1240px}
#count{flex-wrap:wrap;gap:0 1rem}
progress{margin-bottom:.5rem}
#filters{display:flex;flex-wrap:wrap;gap:.5rem 1rem;font-size:.9rem;color:var(--soft)}
#filters label{display:flex;align-items:center;gap:.4rem;min-width:0}
select{font:inherit;color:var(--ink);background:var(--panel);border:1px solid var(--line);
border-radius:6px;min-height:36px;max-width:60vw}
h1{font-size:1rem;font-weight:600;margin:0;overflow-wrap:anywhere}
.soft{margin:0}
.words{margin:.6rem 0 .4rem}
figure{margin:0;border:2px solid var(--line);border-radius:8px;background:var(--panel);
overflow:hidden;min-width:0}
figure img{display:block;width:100%;aspect-ratio:1;object-fit:contain;background:var(--panel);
color:var(--soft);font-size:.85rem}
figcaption{padding:.3rem .5rem;font-size:.9rem;line-height:1.35}
figcaption b{font-size:1rem}
figure.right{border-color:var(--good)}
figure.right .same{color:var(--good);font-weight:600}
#reference{width:min(100%,300px)}
#candidates{display:grid;gap:.6rem;grid-template-columns:repeat(2,minmax(0,1fr))}
@media (min-width:720px){#candidates{grid-template-columns:repeat(5,minmax(0,1fr))}}
@media (max-width:719px){#reference{width:48%}}
#verdict{font-weight:600}
#verdict.accept{color:var(--good)}#verdict.reject{color:var(--bad)}
.keys{grid-template-columns:minmax(0,1fr) minmax(0,2fr) minmax(0,2fr) minmax(0,1fr)}
#accept{border-color:var(--good)}#reject{border-color:var(--bad)}
button[aria-pressed=true]{background:var(--key);color:var(--on);border-color:var(--key)}
button[aria-pressed=true] kbd{color:inherit}
#foot button[aria-pressed=true]{color:var(--key);text-decoration:underline}
"""

_BODY = """
<header><div id="count" aria-live="polite"><span id="progress"></span><span id="sums"></span></div>
<progress id="meter" max="1" value="0" aria-label="decided"></progress>
<div id="filters">
<label>Show <select id="which">
<option value="all">all</option><option value="undecided">undecided</option>
<option value="accept">accepted</option><option value="reject">rejected</option></select></label>
<label id="ofwhom">of <select id="attribute"><option value="">everybody</option></select></label>
</div>
<p id="error" role="alert" hidden></p></header>
<main>
<div id="problem" hidden>
<h1 id="name" aria-live="polite" tabindex="-1"></h1>
<p class="soft"><span id="about"></span> <span id="verdict"></span></p>
<p class="words" id="first"></p>
<figure id="reference"><img alt=""><figcaption><b>Reference</b>
<span class="told"></span></figcaption></figure>
<p class="words" id="question"></p>
<div id="candidates"></div>
</div>
<div id="nothing" hidden><h1>Review</h1><p id="said"></p></div>
</main>
<div id="bar"><div>
<div class="keys">
<button type="button" id="back" aria-label="previous problem">←</button>
<button class="main" type="button" id="accept">Accept<kbd>A</kbd></button>
<button class="main" type="button" id="reject">Reject<kbd>R</kbd></button>
<button type="button" id="on" aria-label="next problem">→</button>
</div>
<div id="foot"><button type="button" id="undo">Undo<kbd>U</kbd></button>
<button type="button" id="tell" aria-pressed="false">Answer and distances<kbd>D</kbd></button>
<button type="button" id="stop">Finish</button></div>
</div></div>
"""

_SCRIPT = """
const KEPT = "All earlier decisions are kept; misstep review goes on.";
let set = null, chosen = [], place = 0, isTold = false;

const decision = one => set.decided[one.id] || "undecided";

function isChosen(one) {
  const which = at("which").value, [name, value] = at("attribute").value.split("=");
  return (which === "all" || decision(one) === which) &&
    (!name || one.attributes[name] === value);
}

function choose(keep) {
  chosen = set.problems.filter(isChosen);
  const found = keep ? chosen.findIndex(one => one.id === keep.id) : -1;
  place = found >= 0 ? found : Math.max(0, Math.min(place, chosen.length - 1));
  show();
}

function picture(image, one, number) {
  const index = set.problems.indexOf(one);
  image.alt = number ? "Candidate " + number : "Reference";
  image.src = "/picture/" + index + "/" + number + "?token=" + encodeURIComponent(token);
}

function distances(one, number) {
  if (!isTold || !one.distances.length) return "";
  const far = list => list[number - 1].toFixed(3);
  if (number === one.truth) return far(one.distances) + " from the reference";
  const beside = one.beside.length ? "; " + far(one.beside) + " from the right one" : "";
  return far(one.distances) + " from the reference" + beside;
}

function candidate(one, number) {
  const figure = made("figure", "", ""), image = new Image(), caption = made("figcaption", "", "");
  picture(image, one, number);
  caption.append(made("b", "", String(number)), " ");
  if (isTold && number === one.truth) {
    figure.className = "right";
    caption.append(made("span", "same", "the same person"), " ");
  }
  caption.append(made("span", "told", distances(one, number)));
  figure.append(image, caption);
  return figure;
}

function sums() {
  const every = set.problems.map(decision), total = every.length;
  const of = what => every.filter(one => one === what).length;
  const done = total - of("undecided");
  at("progress").textContent = done + " of " + total + " decided";
  at("sums").textContent = of("accept") + " accepted, " + of("reject") + " rejected";
  at("meter").max = total || 1;
  at("meter").value = done;
  at("undo").disabled = !set.can_undo;
}

function show() {
  sums();
  const one = chosen[place];
  at("problem").hidden = !one;
  at("nothing").hidden = !!one;
  for (const id of ["accept", "reject"]) {
    at(id).disabled = !one;
    at(id).setAttribute("aria-pressed", String(!!one && decision(one) === id));
  }
  at("back").disabled = !one || place === 0;
  at("on").disabled = !one || place >= chosen.length - 1;
  if (!one) {
    at("said").textContent = at("which").value === "undecided"
      ? "Nothing of these is left undecided. Every decision is kept."
      : "No problem of the set is like that.";
    return;
  }
  at("name").textContent = "Problem " + (place + 1) + " of " + chosen.length + ": " + one.id;
  at("about").textContent = Object.values(one.attributes).join(", ");
  at("verdict").textContent = {accept: "accepted", reject: "rejected"}[decision(one)] || "";
  at("verdict").className = decision(one);
  at("first").textContent = set.words[0];
  at("question").textContent = set.words[1];
  picture(at("reference").querySelector("img"), one, 0);
  at("candidates").replaceChildren(...[1, 2, 3, 4, 5].map(number => candidate(one, number)));
  shownAt = performance.now();
}

async function decide(what) {
  const one = chosen[place];
  if (!one || performance.now() - shownAt < SOON) return;
  const found = await go("/decide", {problem: one.id, decision: what});
  if (!found) return;
  Object.assign(set, found);
  const next = chosen[place + 1] || null;
  choose(isChosen(one) ? (next || one) : next);
  if (next) scrollTo(0, 0);
}

async function undo() {
  if (!set || !set.can_undo) return;
  const found = await go("/undo", {});
  if (!found) return;
  Object.assign(set, found);
  const one = set.problems.find(each => each.id === found.undone);
  if (one && !isChosen(one)) { at("which").value = "all"; at("attribute").value = ""; }
  choose(one || null);
}

function step(by) {
  if (place + by < 0 || place + by >= chosen.length) return;
  place += by;
  show();
  scrollTo(0, 0);
}

function tell() {
  isTold = !isTold;
  at("tell").setAttribute("aria-pressed", String(isTold));
  if (chosen.length) show();
}

async function finish() {
  if (!set || !await go("/finish", {})) return;
  isOver = true;
  at("problem").hidden = at("bar").hidden = at("filters").hidden = true;
  at("nothing").hidden = false;
  at("said").textContent = "Finished: " + at("progress").textContent + ", " +
    at("sums").textContent + ". Every decision is kept; this page can be closed.";
}

function attributes() {
  const known = new Map();
  for (const one of set.problems) {
    for (const [name, value] of Object.entries(one.attributes)) {
      if (!known.has(name)) known.set(name, new Set());
      known.get(name).add(value);
    }
  }
  for (const [name, values] of known) {
    const group = document.createElement("optgroup");
    group.label = name.replaceAll("_", " ");
    for (const value of values) group.append(new Option(value, name + "=" + value));
    at("attribute").append(group);
  }
  at("ofwhom").hidden = !known.size;
}

async function start() {
  set = await go("/problems");
  if (!set) return;
  attributes();
  if (Object.keys(set.decided).length) at("which").value = "undecided";
  choose(null);
}

for (const what of ["accept", "reject"]) {
  at(what).addEventListener("click", () => { at(what).blur(); decide(what); });
}
at("back").addEventListener("click", () => step(-1));
at("on").addEventListener("click", () => step(1));
at("undo").addEventListener("click", () => { at("undo").blur(); undo(); });
at("tell").addEventListener("click", tell);
at("stop").addEventListener("click", finish);
for (const id of ["which", "attribute"]) {
  at(id).addEventListener("change", () => { at(id).blur(); choose(chosen[place]); });
}
const KEYS = {a: () => decide("accept"), r: () => decide("reject"), u: undo, d: tell,
  arrowleft: () => step(-1), arrowright: () => step(1)};
addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (!set || isOver || event.target instanceof HTMLSelectElement) return;
  const key = event.key.toLowerCase();
  if (key in KEYS) { event.preventDefault(); KEYS[key](); }
});
start();
"""


def page(nonce: str) -> str:
    """The document; `nonce` is what its policy lets run."""
    return document(nonce, "Review of faces", _STYLE, _BODY, _SCRIPT)
