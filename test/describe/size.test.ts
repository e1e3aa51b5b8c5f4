import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { generate } from "../../generator/generate.js";
import { manyDescriptors } from "../bench/many-descriptors.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { openDocument, type ParsedDocument } from "../support/openapi/document.js";
import { rare } from "../support/rare.js";

let root: string;
beforeEach(() => {
  root = makeAppFolder();
});
afterEach(() => removeAppFolder(root));

rare(
  "the document of a hundred resources has less than 2.9 MB, and repeats no long parameter",
  async () => {
    mkdirSync(join(root, "resources"));
    for (const { path, text } of manyDescriptors(100)) writeFileSync(join(root, path), text);
    const { plan } = await generate({ root, name: null, profiles: null });
    const written = plan.writes.find(({ path }) => path === "generated/openapi.json");
    const text = written?.text ?? "";
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(Buffer.byteLength(text)).toBeLessThan(2_900_000);
    expect(openDocument(text).compileAll()).toEqual([]);
    const { paths }: ParsedDocument = JSON.parse(text);
    const inline = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ parameters = [] }) => parameters.map((each) => JSON.stringify(each)))
      .filter((each) => each.length > 150);
    const repeated = inline.filter((each, at) => inline.indexOf(each) !== at);
    expect(new Set(repeated)).toEqual(new Set());
  },
);
