/** What a server's reply means, and how long one waits for a better one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Away, Elsewhere, Over, Unfit } from "../transport/contract";
import { afterMs, problem, stepIn } from "../transport/http";
import { waitMs } from "../transport/patience";

const STEP = { key: "trial/0/0", screen: { kind: "page" } };

test("a server that can't answer now is asked again, a proxy's own page as well", () => {
  for (const status of [408, 429, 500, 502, 503, 504]) assert.ok(problem(status, null, {}) instanceof Away);
  assert.ok(problem(404, null, null) instanceof Away);
});

test("Retry-After is seconds or a date, and never in the past", () => {
  assert.equal(afterMs("7", 0), 7000);
  assert.equal(afterMs("Thu, 01 Jan 1970 00:00:09 GMT", 4000), 5000);
  assert.equal(afterMs("Thu, 01 Jan 1970 00:00:09 GMT", 10_000), 0);
  assert.equal(afterMs("soon", 0), null);
  assert.equal(afterMs(null, 0), null);
});

test("an answer that is not taken, one for elsewhere and a token that is not known are different", () => {
  assert.ok(problem(422, null, { error: "too long" }) instanceof Unfit);
  assert.ok(problem(413, null, { error: "too long" }) instanceof Unfit);
  assert.ok(problem(409, null, { error: "elsewhere", step: STEP as never }) instanceof Elsewhere);
  assert.ok(problem(401, null, { error: "unknown" }) instanceof Over);
  assert.ok(problem(410, null, { error: "gone" }) instanceof Over);
});

test("waits double up to half a minute, and are spread", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 50].map((tried) => waitMs(tried, null, 0.5)), [
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ]);
  assert.equal(waitMs(0, null, 0), 800);
});

test("a wait that was asked for is kept, up to five minutes", () => {
  assert.equal(waitMs(0, 20_000, 0.5), 20_000);
  assert.equal(waitMs(0, 9e9, 0.5), 300_000);
});

test("a step is found bare, as step and as screen, and an end without a step", () => {
  assert.equal(stepIn(STEP), STEP);
  assert.equal(stepIn({ step: STEP }), STEP);
  assert.equal(stepIn({ token: "t", screen: STEP }), STEP);
  assert.equal(stepIn({ screen: { kind: "end" } }).part, "end");
});
