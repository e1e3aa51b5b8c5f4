import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { openDocument } from "../support/openapi/document.js";
import { withoutPrototypeNames } from "../support/openapi/prototype-names.js";

const fixtures = resolve(import.meta.dirname, "../../fixtures");
const apps = ["apps/shop", "apps/northwind", "names"];

function textOf(app: string): string {
  return readFileSync(`${fixtures}/${app}/generated/openapi.json`, "utf8");
}

describe.each(apps)("the document of %s", (app) => {
  test("is valid OpenAPI 3.1 to a validator by the standard's own schema", async () => {
    const result = await new Validator().validate(JSON.parse(textOf(app)));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  test("refers only to what it has, and every schema of it compiles", () => {
    const document = openDocument(textOf(app));
    expect(document.operations.length).toBeGreaterThan(40);
    expect(document.compileAll()).toEqual([]);
  });

  test("has an id of its own for each operation", () => {
    const ids = openDocument(textOf(app)).operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test.each(apps)("the linter has no word against %s", async (app) => {
  const config = await createConfig({
    extends: ["recommended"],
    // The owner of an app chooses its licence, and no descriptor says which.
    rules: { "info-license": "off" },
  });
  const source = withoutPrototypeNames(textOf(app));
  const problems = await lintFromString({ source, absoluteRef: "/openapi.json", config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});
