import { expect, test } from "vitest";
import { kinds } from "../../../generator/kind/kinds.js";
import { formKinds } from "../../../runtime/dashboard/web/kinds/input/form-kinds.js";
import { kindOf } from "../../../runtime/dashboard/web/kinds/kinds.js";

test("the dashboard shows and asks for every kind of field that descriptors have", () => {
  const names = kinds.map(({ name }) => name).toSorted();
  expect(Object.keys(formKinds).toSorted()).toEqual(names);
  // A kind that is not known is shown as another one.
  expect(new Set(names.map((type) => kindOf({ type }))).size).toBe(names.length);
});
