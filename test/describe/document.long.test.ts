import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { generate } from "../../generator/generate.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { openDocument } from "../support/openapi/document.js";
import { withoutPrototypeNames } from "../support/openapi/prototype-names.js";

const fixtures = resolve(import.meta.dirname, "../../fixtures");
const apps = ["apps/shop", "apps/northwind", "apps/market", "apps/events", "names"];
/** Of which `npm test` looks at these. */
const quickly = ["apps/shop", "names"];

function textOf(app: string): string {
  return readFileSync(`${fixtures}/${app}/generated/openapi.json`, "utf8");
}

describe.each(apps)("the document of %s", (app) => {
  const look = quickly.includes(app) ? test : test;
  look("is valid OpenAPI 3.1 to a validator by the standard's own schema", async () => {
    const result = await new Validator().validate(JSON.parse(textOf(app)));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  look("refers only to components that it has, and every schema of it compiles", () => {
    const document = openDocument(textOf(app));
    expect(document.operations.length).toBeGreaterThan(40);
    expect(document.compileAll()).toEqual([]);
  });

  look("has a separate id for each operation", () => {
    const ids = openDocument(textOf(app)).operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test.for(apps)("the linter finds no fault with %s", async (app) => {
  const config = await createConfig({
    extends: ["recommended"],
    // The owner of an app chooses its licence, and no descriptor says which.
    rules: { "info-license": "off" },
  });
  const source = withoutPrototypeNames(textOf(app));
  const problems = await lintFromString({ source, absoluteRef: "/openapi.json", config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

type Json = Record<string, unknown>;

/** Each schema judges a few values: to make its code short takes longer than running it. */
const quick = {
  strict: false,
  validateFormats: false,
  inlineRefs: false,
  code: { optimize: false },
} as const;

type Parsed = ReturnType<typeof read>;

function parsed(app: string): Parsed {
  return read(textOf(app));
}

/** A document as plain values, and what its references name. */
function read(text: string) {
  const document = JSON.parse(text);
  const follow = (given: Json): Json => {
    if (typeof given.$ref !== "string") return given;
    const steps = given.$ref.slice(2).split("/");
    return follow(steps.reduce((at, step) => at[step], document));
  };
  return { document, follow };
}

test.each(apps)(
  "every body and JSON answer of %s has an example by reference, which fulfils its schema",
  (app) => {
    expect(expectExamples(parsed(app))).toBeGreaterThan(30);
  },
);

test("lists of files and of links have examples", async () => {
  const root = makeAppFolder();
  try {
    mkdirSync(join(root, "resources"));
    writeFileSync(
      join(root, "resources/albums.yaml"),
      "fields: { photos: { type: image, list: true }, partIds: { type: links, resource: albums } }\n",
    );
    const { plan } = await generate({ root, name: null, profiles: null });
    const written = plan.writes.find(({ path }) => path === "generated/openapi.json");
    expect(expectExamples(read(written?.text ?? ""))).toBeGreaterThan(10);
  } finally {
    removeAppFolder(root);
  }
});

test("records with the names of query bodies have their own examples", async () => {
  const root = makeAppFolder();
  try {
    mkdirSync(join(root, "resources"));
    for (const name of ["queries", "aggregates", "files", "reverts", "any-queries", "any-files"]) {
      const text =
        "changes: { history: 400 }\nfields: { text: { type: string, required: true } }\n";
      writeFileSync(join(root, "resources", `${name}.yaml`), text);
    }
    const { plan } = await generate({ root, name: null, profiles: null });
    const written = plan.writes.find(({ path }) => path === "generated/openapi.json");
    expect(expectExamples(read(written?.text ?? ""))).toBeGreaterThan(60);
  } finally {
    removeAppFolder(root);
  }
});

/** Looks at the example of each body and of each JSON answer, and returns how many bodies there are. */
function expectExamples({ document, follow }: Parsed): number {
  const ajv = new Ajv2020(quick);
  ajv.addSchema({ $id: "doc", ...document });
  let bodies = 0;
  const expectExample = (media: Json, what: string) => {
    const { examples, schema } = media as { examples?: Record<string, Json>; schema: Json };
    const [example] = Object.values(examples ?? {});
    expect(example, what).toHaveProperty("$ref");
    const { value } = follow(example ?? {});
    const validate = ajv.compile(absolute(schema));
    validate(withoutInherited(value as Json));
    expect(validate.errors, `${what} ${JSON.stringify(value)}`).toBeNull();
  };
  for (const [path, methods] of Object.entries<Json>(document.paths)) {
    for (const [method, operation] of Object.entries(methods as Record<string, Json>)) {
      for (const [status, answer] of Object.entries(operation.responses as Record<string, Json>)) {
        const media = (follow(answer).content as Record<string, Json>)?.["application/json"];
        if (media !== undefined) expectExample(media, `${method} ${path} ${status}`);
      }
      if (operation.requestBody === undefined) continue;
      bodies++;
      const body = follow(operation.requestBody as Json);
      for (const media of Object.values(body.content as Record<string, Json>)) {
        expectExample(media, `${method} ${path}`);
      }
    }
  }
  return bodies;
}

/** Fields may be called as what every object inherits, which a validator takes for their values. */
function withoutInherited(value: Json): Json {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    part === null || typeof part !== "object" || Array.isArray(part)
      ? part
      : Object.assign(Object.create(null), part),
  );
}

/** With references to the document that was added. */
function absolute(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/'));
}

test("bodies may contain the keys that writes ignore", () => {
  const { document } = parsed("apps/shop");
  const ajv = new Ajv2020(quick);
  ajv.addSchema({ $id: "doc", ...document });
  const own = { id: "1", createdAt: "2026-01-31T09:30:00Z", updatedAt: null };
  for (const name of ["ProductCreate", "ProductUpdate", "ProductReplace"]) {
    const validate = ajv.compile({ $ref: `doc#/components/schemas/${name}` });
    const values = { name: "Tea", price: 1, categoryId: own.id, status: "draft", active: true };
    const whole = name === "ProductUpdate" ? {} : { ...values, stock: 1 };
    expect([validate({ ...whole, ...own }), validate.errors], name).toEqual([true, null]);
    expect(validate({ ...whole, ident: "1" })).toBe(false);
  }
});

test("text of a descriptor is escaped for programs that show Markdown", async () => {
  const root = makeAppFolder();
  try {
    mkdirSync(join(root, "resources"));
    writeFileSync(
      join(root, "resources/pages.yaml"),
      `label: "<script>alert(1)</script> a < b"
fields:
  body:
    type: text
    description: '<img src="javascript:alert(1)" onerror=alert(2)> [a](JavaScript:alert(3)) 1 < 2'
  code: { type: string, required: true, minLength: 4, pattern: "[A-Z]{2,}-[0-9]+(?:x|y)?" }
  picture: { type: image, required: true }
`,
    );
    const { plan } = await generate({ root, name: null, profiles: null });
    const source = plan.writes.find(({ path }) => path === "generated/openapi.json")?.text ?? "";
    const config = await createConfig({
      extends: ["recommended"],
      rules: { "info-license": "off" },
    });
    const problems = await lintFromString({ source, absoluteRef: "/openapi.json", config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    const { tags, components } = JSON.parse(source);
    expect(tags[0].description).toBe("&lt;script>alert(1)&lt;/script> a < b");
    expect(components.schemas.PagePart.properties.body.description).toBe(
      '&lt;img src="javascript&#58;alert(1)" onerror=alert(2)> [a](JavaScript&#58;alert(3)) 1 < 2',
    );
    const { code, picture } = components.examples.Page.value;
    expect(code).toMatch(/^[A-Z]{2,}-[0-9]+[xy]?$/);
    expect(picture).toMatch(/^pages\/picture\/2026\/01\//);
  } finally {
    removeAppFolder(root);
  }
});
