/** What counts as typing that no hand does, and how signs are kept few. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sign } from "../screens";
import { burst, rhythm } from "../signs/rhythm";
import { added } from "../signs/watching";

function typedAt(times: readonly number[]): number[] {
  const pace = rhythm();
  return times.map((time) => pace.typed(time)).filter((found) => found > 0);
}

function spaced(gaps: readonly number[]): number[] {
  let now = 0;
  return gaps.map((gap) => (now += gap));
}

const EVEN = spaced(Array.from({ length: 30 }, () => 80));
const BY_HAND = spaced(Array.from({ length: 200 }, (_, place) => 90 + 60 * Math.sin(place * 2.4)));

test("a machine's even rhythm is one sign", () => {
  assert.deepEqual(typedAt(EVEN), [21]);
});

test("a hand's uneven rhythm is none, however long", () => {
  assert.deepEqual(typedAt(BY_HAND), []);
});

test("keys faster than any hand are a sign, even or not", () => {
  assert.deepEqual(typedAt(spaced(Array.from({ length: 21 }, (_, place) => (place % 3) * 5))), [21]);
});

test("a pause begins a new run", () => {
  assert.deepEqual(typedAt([...EVEN.slice(0, 15), ...EVEN.slice(0, 15).map((time) => time + 9000)]), []);
});

test("a word put in by a phone's keyboard is no burst, a sentence is", () => {
  assert.equal(burst("uncharacteristically".length), 0);
  assert.equal(burst(40), 40);
});

test("untrusted events are one sign with their number", () => {
  const one = (at_ms: number): Sign => ({ kind: "untrusted", at_ms, n: 1 });
  assert.deepEqual([one(5), one(6), one(7)].reduce(added, [] as Sign[]), [{ ...one(5), n: 3 }]);
});

test("signs without end are added up, and none of them is lost", () => {
  const many = Array.from({ length: 500 }, (_, place): Sign => ({ kind: "paste", at_ms: place, n: 2 }));
  const kept = many.reduce(added, [] as Sign[]);
  assert.equal(kept.length, 200);
  assert.equal(kept.reduce((sum, sign) => sum + sign.n, 0), 1000);
});
