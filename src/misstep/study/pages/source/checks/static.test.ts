/** A study without a server: what is kept once, and what a failure costs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { passing } from "../keeping/store";
import { Away, Elsewhere, type Sent } from "../transport/contract";
import { canonical, overTable, type Holder, type Node, type Result, type Table } from "../transport/static";

const node = (key: string, screen: number, next: string | null, by = {}): Node => ({
  key, part: "trial", done: 0, total: 1, trial: null, screen, next, by,
});
const TABLE: Table = {
  schema: 1, study: "s", consent: "c", places: 1, shared: ["long"], withdrawn: { kind: "end", ending: "withdrawn" },
  screens: [{ kind: "write", label: { shared: 0 } }, { kind: "page", body: { answer_to: "consent" } }, { kind: "end" }],
  ways: [
    {
      consent: node("consent", 0, "b", { '{"text":"no"}': "end/no_consent" }),
      b: node("b", 1, "end/complete"),
      "end/complete": { ...node("end", 2, null), ending: "complete" },
      "end/no_consent": { ...node("end", 2, null), ending: "no_consent" },
    },
  ],
};
const sent = (key: string, once: string, text: string): Sent => ({
  key, once, answer: { text }, rt_ms: 1, signs: [], row: {},
});

function opened(fails = 0) {
  const kept: Result[] = [];
  const ended: Result[] = [];
  let left = fails;
  const holder: Holder = {
    scope: "x",
    place: async () => 0,
    keep: async (result) => {
      if (kept.length > 0 && left-- > 0) throw new Error("away");
      kept.push(result);
    },
    ended: async (result) => void ended.push(result),
  };
  const store = passing();
  const visit = { person: "p", study: "", session: "" };
  const open = () => overTable(TABLE, holder, visit, store, () => "run", () => 7);
  return { kept, ended, open, transport: open() };
}

test("an answer has the names of its object in order and no space", () => {
  assert.equal(canonical({ b: [1, null], a: { d: "ü\n", c: true } }), '{"a":{"c":true,"d":"ü\\n"},"b":[1,null]}');
});

test("what is written is shown again, and long texts are filled in", async () => {
  const { transport } = opened();
  const first = await transport.enter();
  assert.deepEqual(first.screen, { kind: "write", label: "long" });
  const second = await transport.answer(sent("consent", "1", "mine"));
  assert.deepEqual(second.screen, { kind: "page", body: "mine" });
});

test("the same sending is kept once, also when the first keeping failed", async () => {
  const { transport, kept } = opened(1);
  await transport.enter();
  await assert.rejects(transport.answer(sent("consent", "1", "mine")), Away);
  assert.equal((await transport.answer(sent("consent", "1", "mine"))).key, "b");
  assert.equal((await transport.answer(sent("consent", "1", "mine"))).key, "b");
  assert.deepEqual(kept[kept.length - 1]?.answers.map((one) => one.once), ["1"]);
});

test("another answer to the same screen is sent on to where one is", async () => {
  const { transport } = opened();
  await transport.enter();
  await transport.answer(sent("consent", "1", "mine"));
  await assert.rejects(transport.answer(sent("consent", "2", "other")), Elsewhere);
});

test("a reload goes on, and the end is told once more", async () => {
  const { transport, open, ended } = opened();
  await transport.enter();
  await transport.answer(sent("consent", "1", "mine"));
  const again = open();
  assert.equal((await again.enter()).key, "b");
  await again.answer(sent("b", "2", ""));
  assert.equal(ended[0]?.ending, "complete");
  assert.equal((await open().enter()).key, "end");
});

test("of who does not consent no id is kept", async () => {
  const { transport, ended } = opened();
  await transport.enter();
  await transport.answer(sent("consent", "1", "no"));
  assert.deepEqual([ended[0]?.ending, ended[0]?.visit.person], ["no_consent", ""]);
});

test("who withdraws is at an end that stays", async () => {
  const { transport, open } = opened();
  await transport.enter();
  assert.equal((await transport.withdraw()).screen.kind, "end");
  assert.equal((await open().enter()).screen.kind, "end");
});
