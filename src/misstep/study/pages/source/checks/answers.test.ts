/** What is wrong with an answer, as the server would say it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { numberProblem, textProblem } from "../stage/problems";

test("whole numbers within their range are right, with space around them", () => {
  for (const typed of ["0", " 90 ", "-0"]) assert.equal(numberProblem(typed, 0, 90), "");
  assert.equal(numberProblem("-5", null, null), "");
});

test("anything else says what it should be", () => {
  for (const typed of ["", "1.5", "1e3", "٣", "ten", "--1", "91", "-1"]) {
    assert.ok(numberProblem(typed, 0, 90) !== "", typed);
  }
});

test("a text is counted as Python counts it, without the space around it", () => {
  assert.equal(textProblem("  👍👍👍  ", 3, 20), "");
  assert.ok(textProblem("  👍👍  ", 3, 20) !== "");
  assert.ok(textProblem("   ", 1, 20) !== "");
  assert.ok(textProblem("x".repeat(21), 1, 20) !== "");
  assert.equal(textProblem("", 0, 20), "");
});
