import { expect, test } from "vitest";
import { newPresence } from "../../../runtime/http/request/presence.js";

test("another client is present for five seconds after its last request", () => {
  const presence = newPresence();
  expect(presence.hasSeveral(0)).toBe(false);
  presence.begin("a", 1_000);
  presence.begin("a", 2_000);
  expect(presence.hasSeveral(2_000)).toBe(false);
  presence.begin("b", 6_000);
  expect(presence.hasSeveral(6_000)).toBe(true);
  presence.begin("b", 6_999);
  expect(presence.hasSeveral(6_999)).toBe(true);
  expect(presence.hasSeveral(7_000)).toBe(false);
  presence.begin("a", 12_000);
  expect(presence.hasSeveral(12_000)).toBe(false);
  presence.begin("b", 12_001);
  presence.begin("a", 12_002);
  expect(presence.hasSeveral(17_000)).toBe(true);
  expect(presence.hasSeveral(17_001)).toBe(false);
});
