import { expect, test } from "vitest";
import type { CallersRead, PlannedRead } from "../../../runtime/http/route/route.js";
import { type BeforeCaller, sentFirst } from "../../../runtime/http/route/sent-first.js";

const answer = () => ({ status: 200, json: null });
const quick: PlannedRead = { text: "quick", values: [], cost: "index", answer };
const slow: PlannedRead = { text: "slow", values: [], cost: "scan", answer };
const prepare = () => Promise.resolve(quick);

/** By name: a read for all callers alike, or one that is planned for each caller. */
const reads: Readonly<Record<string, PlannedRead | CallersRead>> = {
  "alike, quick": quick,
  "alike, slow": slow,
  "by caller": { prepare },
  "by caller, quick without a role": { prepare, ofNoRole: quick },
  "by caller, slow without a role": { prepare, ofNoRole: slow },
};

const usual: BeforeCaller = {
  hasToken: true,
  isPublic: false,
  canAsk: true,
  isCalledByRole: false,
};

/** Each line: a read, what differs from a request with a token, and the statement that is sent with its look-up. */
const cases: readonly [string, Partial<BeforeCaller>, string | null][] = [
  ["alike, quick", {}, "quick"],
  ["alike, quick", { isCalledByRole: true }, "quick"],
  ["alike, quick", { isPublic: true }, "quick"],
  ["alike, quick", { isPublic: true, hasToken: false }, null],
  ["alike, quick", { hasToken: false }, "quick"],
  ["alike, quick", { canAsk: false }, null],
  // The look-up itself decides when a slow read of a known statement runs.
  ["alike, slow", {}, "slow"],
  ["by caller", {}, null],
  ["by caller, quick without a role", {}, "quick"],
  ["by caller, quick without a role", { isCalledByRole: true }, null],
  ["by caller, quick without a role", { isPublic: true, hasToken: false }, null],
  ["by caller, quick without a role", { canAsk: false }, null],
  ["by caller, slow without a role", {}, null],
];

test.each(cases)("%s, %j: %s", (name, differs, expected) => {
  const planned = reads[name];
  if (planned === undefined) throw new Error(`There is no read "${name}"`);
  expect(sentFirst(planned, { ...usual, ...differs })?.text ?? null).toBe(expected);
});
