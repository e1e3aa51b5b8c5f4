import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readProfileNames } from "../../../runtime/config/lenient.js";
import { appFolder, removeFolders } from "./folder.js";

afterAll(removeFolders);

test.each([
  ["uploads: { profiles: { a: {}, b: } }", ["a", "b"]],
  [`uploads: { profiles: { a: {} } }\nmailer: { url: "\${MAIL}" }\nunknown: 1`, ["a"]],
  ["uploads: { profiles: }", []],
  ["uploads:", []],
  ["", []],
  ["uploads: [", null],
  ["uploads: { profiles: [a] }", null],
  ["hello", null],
])("reads the names of profiles of %j", (text, names) => {
  expect(readProfileNames(appFolder({ "service.yaml": text }))).toEqual(names);
});

test("without the file there are none, and a folder in its place cannot be read", () => {
  const root = appFolder({ "service.yaml/a": "" });
  expect(readProfileNames(root)).toBeNull();
  expect(readProfileNames(join(root, "service.yaml"))).toEqual([]);
});
