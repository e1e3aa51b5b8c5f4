import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Pager } from "../../../runtime/dashboard/web/parts/page/pager.js";

const rangeOf = (more: { readonly isPart?: boolean }) => {
  const props = { page: 2, perPage: 25, total: 100_000, onPage: () => {}, ...more };
  return /role="status">([^<]*)</.exec(renderToStaticMarkup(createElement(Pager, props)))?.[1];
};

test("the range of a list shows that its total is only a part", () => {
  expect(rangeOf({})).toBe("26–50 of 100,000");
  expect(rangeOf({ isPart: true })).toBe("26–50 of more than 100,000");
});
