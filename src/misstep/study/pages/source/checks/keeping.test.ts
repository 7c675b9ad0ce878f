/** What is kept in the browser, and when it goes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { passing } from "../keeping/store";
import { wayIn } from "../keeping/way";

const SENT = { key: "trial/0/0", once: "a", answer: { value: "yes" }, rt_ms: 1, signs: [], row: {} };

test("a confirmed answer takes its draft with it and leaves that of others", () => {
  const way = wayIn(passing(), "token", 0);
  way.keepDraft("trial/0/0", "mine");
  way.keepDraft("trial/1/0", "later");
  way.keepUnsent(SENT);
  way.confirmed("trial/0/0");
  assert.equal(way.draft("trial/0/0"), undefined);
  assert.equal(way.draft("trial/1/0"), "later");
  assert.equal(way.unsent(), null);
});

test("an answer that was not taken leaves its draft", () => {
  const way = wayIn(passing(), "token", 0);
  way.keepDraft("trial/0/0", "mine");
  way.keepUnsent(SENT);
  way.refused();
  assert.equal(way.draft("trial/0/0"), "mine");
  assert.equal(way.unsent(), null);
});

test("rows are numbered and timed over reloads", () => {
  const store = passing();
  wayIn(store, "token", 1000).confirmed("trial/0/0");
  assert.deepEqual(wayIn(store, "token", 5000).place(6000), { index: 1, elapsed: 5000 });
  assert.equal(wayIn(store, "token", 5000).place(0).elapsed, 0);
});

test("another person's way on the same device is another one, and the end leaves nothing", () => {
  const store = passing();
  const one = wayIn(store, "one", 0);
  const other = wayIn(store, "other", 0);
  one.keepDraft("trial/0/0", "mine");
  assert.equal(other.draft("trial/0/0"), undefined);
  other.keepDraft("trial/0/0", "theirs");
  one.ended();
  assert.equal(one.draft("trial/0/0"), undefined);
  assert.equal(other.draft("trial/0/0"), "theirs");
});

test("what something else wrote there is nothing", () => {
  const store = passing();
  store.write("way/token/unsent/", "{half");
  assert.equal(wayIn(store, "token", 0).unsent(), null);
});
