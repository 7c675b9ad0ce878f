/** Where one is in things that are shown one after another. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { placeAt } from "../timing/sequence";

const PACE = { count: 3, each_ms: 100, gap_ms: 50, lead_ms: 20 };

test("nothing is shown before the lead is over", () => {
  assert.deepEqual(placeAt(19.9, PACE), { index: -1, isShown: false, isOver: false });
  assert.deepEqual(placeAt(20, PACE), { index: 0, isShown: true, isOver: false });
});

test("each thing has its time and its gap, and the last one too", () => {
  assert.deepEqual(placeAt(119.9, PACE), { index: 0, isShown: true, isOver: false });
  assert.deepEqual(placeAt(120, PACE), { index: 0, isShown: false, isOver: false });
  assert.deepEqual(placeAt(170, PACE), { index: 1, isShown: true, isOver: false });
  assert.deepEqual(placeAt(469.9, PACE), { index: 2, isShown: false, isOver: false });
  assert.deepEqual(placeAt(470, PACE), { index: 2, isShown: false, isOver: true });
});

test("a late look finds the place where one should be, not the next one", () => {
  assert.equal(placeAt(400, PACE).index, 2);
});

test("a sequence of nothing is over at once", () => {
  assert.ok(placeAt(0, { ...PACE, count: 0 }).isOver);
  assert.ok(placeAt(20, { count: 1, each_ms: 0, gap_ms: 0, lead_ms: 20 }).isOver);
});
