"""The desk's script: asks every ten seconds, and draws what it gets as text."""

from __future__ import annotations

SCRIPT = """
"use strict";
const PLACE = "misstep-desk", EVERY = 10000;
const at = id => document.getElementById(id);
const STATES = {under_way: "under way", complete: "complete", screened_out: "screened out",
  no_consent: "no consent", timed_out: "timed out", withdrawn: "withdrawn"};
let token = "", state = null, open = "", timer = 0;

if (location.hash.length > 1) {
  sessionStorage.setItem(PLACE, location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}
token = sessionStorage.getItem(PLACE) || "";

async function call(path, body) {
  const headers = {Authorization: "Bearer " + token};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const reply = await fetch("desk/api/" + path, {headers, cache: "no-store",
    method: body === undefined ? "GET" : "POST",
    body: body === undefined ? undefined : JSON.stringify(body)});
  if (reply.ok) return reply;
  const found = await reply.json().catch(() => ({}));
  if (reply.status === 401) ask();
  throw new Error(found.error || "the server said " + reply.status);
}

function ask() {
  sessionStorage.removeItem(PLACE);
  token = "";
  at("asking").hidden = false;
  at("all").hidden = true;
  at("said").textContent = "";
}

function fail(error) {
  at("error").hidden = error === null;
  at("error").textContent = error === null ? "" : error.message;
}

async function look() {
  clearTimeout(timer);
  if (!token) return ask();
  try {
    if (!document.hidden) draw(await (await call("state")).json());
    fail(null);
  } catch (error) { fail(error); }
  if (token) timer = setTimeout(look, EVERY);
}

async function act(path, body) {
  try {
    draw(await (await call(path, body)).json());
    fail(null);
    return "";
  } catch (error) { fail(error); return error.message; }
}

const number = new Intl.NumberFormat("en", {maximumFractionDigits: 1});
const some = (value, how) => value === null ? "–" : how(value);
const share = value => (100 * value).toFixed(1) + " %";
const seconds = ms => number.format(ms / 1000) + " s";

function draw(found) {
  state = found;
  at("asking").hidden = true;
  at("all").hidden = false;
  document.title = "Desk: " + found.title;
  at("title").textContent = found.title;
  const complete = found.states.complete;
  at("said").textContent = (found.closed ? "Closed: nobody new may enter. " : "") +
    (found.paused ? "Paused: nobody may go on. " : "") +
    `${complete} of ${found.quota} complete, ${found.quota - found.held} places free`;
  at("pause").textContent = found.paused ? "Go on" : "Pause";
  at("close").textContent = found.closed ? "Open again" : "Close";
  at("meter").value = complete / found.quota;
  at("tiles").replaceChildren(...Object.entries(STATES).map(([name, words]) => {
    const tile = document.createElement("div");
    tile.append(made("b", found.states[name]), made("span", words));
    return tile;
  }));
  table("arms", ["Family", "Arm", "#People", "#Trials", "#Mean", "#Answered", "#Median time"],
    found.arms.map(one => [one.family, one.arm, one.people, one.trials,
      some(one.value, share), one.answered, some(one.median_ms, seconds)]));
  table("stops", ["At", "How", "#People"],
    found.stops.map(one => [one.at, STATES[one.state], one.people]), "Nobody yet");
  at("others").hidden = !found.versions.length;
  table("versions", ["Version", "Since", "#People", "#Under way", "#Complete"],
    found.versions.map(one => [one.digest, new Date(one.created).toISOString().slice(0, 10),
      Object.values(one.states).reduce((sum, count) => sum + count, 0),
      one.states.under_way || 0, one.states.complete || 0]));
  drawPeople();
  drawDownloads();
}

function drawPeople() {
  const shown = state.people.filter(one => !at("flagged").checked || one.is_flagged).reverse();
  table("people", ["Id", "State", "At", "#Trials", "#Mean", "#Median time", "#Minutes", "Signs",
    "Arms", "#Bonus", "Recruited as"], shown.map(one => [
      link(one.public, () => show(one)), STATES[one.state], one.at, one.trials,
      some(one.value, share), some(one.median_ms, seconds), number.format(one.minutes), signs(one),
      one.arms || "–", some(one.bonus, value => value.toFixed(2) + " " + state.currency),
      one.recruited || "–"]),
    "Nobody yet");
}

function signs(one) {
  const amount = {blur: seconds, hidden: seconds, untrusted: n => n + " events"};
  const said = Object.entries(one.signs).map(([kind, [often, much]]) =>
    `${kind} ${often}× (${(amount[kind] || (n => n + " characters"))(much)})`).join(", ");
  const cell = made("span", (one.is_flagged ? "⚑ " : "") + (said || "none"));
  if (one.is_flagged) cell.className = "flag";
  return cell;
}

function table(id, heads, rows, none) {
  const numeric = heads.map(head => head.startsWith("#"));
  const head = document.createElement("tr");
  heads.forEach((words, place) => {
    const cell = made("th", words.replace("#", ""));
    cell.scope = "col";
    if (numeric[place]) cell.className = "n";
    head.append(cell);
  });
  const lines = rows.map(row => {
    const line = document.createElement("tr");
    row.forEach((value, place) => {
      const cell = document.createElement(place === 0 ? "th" : "td");
      if (place === 0) cell.scope = "row";
      if (numeric[place]) cell.className = "n";
      cell.append(value instanceof Node ? value : String(value));
      line.append(cell);
    });
    return line;
  });
  if (!lines.length) {
    const cell = made("td", none || "Nothing yet"), line = document.createElement("tr");
    cell.colSpan = heads.length;
    line.append(cell);
    lines.push(line);
  }
  const top = document.createElement("thead"), rest = document.createElement("tbody");
  top.append(head);
  rest.append(...lines);
  const focused = document.activeElement && document.activeElement.dataset.id;
  at(id).replaceChildren(top, rest);
  if (focused) at(id).querySelector(`[data-id="${focused}"]`)?.focus();
}

function made(name, words) {
  const found = document.createElement(name);
  found.textContent = String(words);
  return found;
}

function link(words, press) {
  const found = made("button", words);
  found.className = "plain";
  found.type = "button";
  found.dataset.id = words;
  found.addEventListener("click", press);
  return found;
}

function drawDownloads() {
  at("downloads").replaceChildren(...state.downloads.map(name => {
    const found = link("Download " + name, () => download(name));
    found.className = "";
    return found;
  }));
}

async function download(name) {
  try {
    const address = URL.createObjectURL(await (await call("download/" + name)).blob());
    const found = document.createElement("a");
    found.href = address;
    found.download = name;
    found.click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
    fail(null);
  } catch (error) { fail(error); }
}

async function show(one) {
  open = one.public;
  at("who").textContent = one.public;
  at("typed").value = "";
  at("not").textContent = "";
  at("texts").replaceChildren();
  at("one").showModal();
  if (!one.has_text) return;
  try {
    const found = await (await call("texts/" + one.public)).json();
    if (open !== one.public) return;
    at("texts").replaceChildren(...found.written.map(each => text(each, found.readings)));
  } catch (error) { at("not").textContent = error.message; }
}

function text(one, readings) {
  const whole = document.createElement("article");
  whole.append(made("b", `Trial ${one.trial + 1}: ${one.family}, ${one.arm}, ${one.item}`));
  whole.append(made("p",
    `Picked plan: ${one.outcome}. Text, as the program reads it: ${one.verdict}.`));
  one.texts.forEach(words => {
    const shown = made("div", words);
    shown.className = "text";
    shown.tabIndex = 0;
    whole.append(shown);
  });
  const form = document.createElement("form"), label = made("label", "Your reading ");
  const choice = document.createElement("select"), note = document.createElement("input");
  const save = made("button", "Keep"), said = made("span", "");
  form.className = "bar";
  said.setAttribute("role", "status");
  readings.forEach(each => choice.append(new Option(each, each)));
  choice.value = one.overruling ? one.overruling.reading : one.verdict;
  note.placeholder = "Why";
  note.setAttribute("aria-label", "Why");
  note.maxLength = 2000;
  note.value = one.overruling ? one.overruling.note : "";
  if (one.overruling) said.textContent = "Overruled: " + one.overruling.reading;
  label.append(choice);
  form.append(label, note, save, said);
  form.addEventListener("submit", async event => {
    event.preventDefault();
    try {
      await call("overrule", {participant: open, trial: one.trial, reading: choice.value,
        note: note.value});
      said.textContent = "Kept beside the program’s: " + choice.value;
    } catch (error) { said.textContent = error.message; }
  });
  whole.append(form);
  return whole;
}

at("asking").addEventListener("submit", event => {
  event.preventDefault();
  token = at("token").value.trim().replace(/^.*#/, "");
  at("token").value = "";
  sessionStorage.setItem(PLACE, token);
  look();
});
at("pause").addEventListener("click", () =>
  act("gate", {action: state.paused ? "resumed" : "paused"}));
at("close").addEventListener("click", () =>
  act("gate", {action: state.closed ? "reopened" : "closed"}));
at("flagged").addEventListener("change", drawPeople);
at("back").addEventListener("click", () => at("one").close());
at("deleting").addEventListener("submit", async event => {
  event.preventDefault();
  const failed = await act("delete", {participant: open, typed: at("typed").value});
  at("not").textContent = failed;
  if (!failed) at("one").close();
});
document.addEventListener("visibilitychange", () => document.hidden || look());
look();
"""
