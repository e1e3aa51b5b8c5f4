import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readProfileNames } from "../../../runtime/config/index.js";
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

test("there are none without the file, and it cannot be read where it is a folder", () => {
  const root = appFolder({ "service.yaml/a": "" });
  expect(readProfileNames(root)).toBeNull();
  expect(readProfileNames(join(root, "service.yaml"))).toEqual([]);
});
