import { expect, test } from "vitest";
import { storedReason } from "../../../runtime/jobs/run/stored-reason.js";

const deceiver = Object.defineProperty(new Error(), "message", {
  get: () => {
    throw new Error("no message");
  },
});

test.each<[string, unknown, string]>([
  ["an error without a message", new TypeError(), "TypeError"],
  ["nothing", undefined, "undefined"],
  ["a message that is a list", Object.assign(new Error(), { message: ["x", "y"] }), "x,y"],
  ["an object without a text", Object.create(null), "A value without a text was thrown"],
  ["an error whose message throws", deceiver, "A value without a text was thrown"],
  ["characters that PostgreSQL cannot store", new Error("a\0b\ud800"), "ab\ufffd"],
  ["a long text", new Error("x".repeat(2_000)), "x".repeat(500)],
])("the reason of %s can be stored", (_what, thrown, reason) => {
  expect(storedReason(thrown)).toBe(reason);
});
