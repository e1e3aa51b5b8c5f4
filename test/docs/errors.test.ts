import { expect, test } from "vitest";
import { refusals } from "../../runtime/errors/index.js";
import { page } from "./pages.js";

test("the page on the API lists every error with its status, sentence and code, and no other", () => {
  const { text } = page("docs/http-api");
  const table = text.slice(text.indexOf("| Status | `error` |")).split("\n\n")[0] ?? "";
  const listed = table
    .split("\n")
    .slice(2)
    .map((line) => {
      const [, status = "", sentence = "", code = ""] = line.split("|").map((cell) => cell.trim());
      return `${status} ${sentence} ${code}`;
    });
  const known = Object.entries(refusals).map(
    ([name, { status, sentence, coded }]) => `${status} ${sentence} ${coded ? `\`${name}\`` : ""}`,
  );
  expect(listed.toSorted()).toEqual(known.toSorted());
});
