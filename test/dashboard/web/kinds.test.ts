import { expect, test } from "vitest";
import { kinds } from "../../../generator/kind/kinds.js";
import { kindNames, kindOf } from "../../../runtime/dashboard/web/kinds/kinds.js";

test("the dashboard shows and edits every kind of field that descriptors have", () => {
  expect(kindNames.toSorted()).toEqual(kinds.map(({ name }) => name).toSorted());
});

test.each(kinds.map((kind) => [kind.name, kind] as const))(
  "the generator and the dashboard agree about %s",
  (type, { condition, isFile }) => {
    const { filter, isFile: isShownAsFile } = kindOf({ type });
    expect(filter?.comparisons).toBe(condition?.comparisons);
    expect(isShownAsFile).toBe(isFile);
  },
);

test.each(["duration", "constructor"])("an unknown kind, %s, is a string", (type) => {
  expect(kindOf({ type })).toBe(kindOf({ type: "string" }));
});
