import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusals } from "../runtime/errors/index.js";

test("the README lists every refusal with its status, and no other", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const table = readme.slice(
    readme.indexOf("| Internal name or `code`"),
    readme.indexOf("## Your own"),
  );
  const listed = table.split("\n").flatMap((line) => {
    const [, names = "", statuses = ""] = line.split("|");
    const codes = [...names.matchAll(/`([A-Z_]+)`/g)].map(([, code = ""]) => code);
    const numbers = statuses.trim().split(", ").map(Number);
    return codes.map((code, at) => [code, numbers[at] ?? numbers[0]]);
  });
  const known = Object.entries(refusals).map(([code, { status }]) => [code, status]);
  expect(listed.toSorted()).toEqual(known.toSorted());
});
