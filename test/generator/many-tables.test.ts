import { expect } from "vitest";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { resolveModel } from "../../generator/resolve/resolve.js";
import { diffSchemas } from "../../generator/schema/changes/diff.js";
import { migrationSteps } from "../../generator/schema/sql/steps.js";
import { buildSchema } from "../../generator/schema/tables/build.js";
import { emptySchema } from "../../runtime/values/schema/schema.js";
import { rare, test } from "../support/rare.js";

/** The first migration's statements, by transaction. */
function transactions(resources: number): readonly (readonly string[])[] {
  const files = Array.from({ length: resources }, (_, at) => ({
    path: `resources/thing${at}.yaml`,
    text: "fields: { name: { type: string, unique: true }, ownerId: { type: belongsTo, resource: users } }",
  }));
  const { model } = resolveModel(readDescriptors(files), []);
  if (model === null) throw new Error("the descriptors are sound");
  const changes = diffSchemas(emptySchema, buildSchema(model), {
    tables: [],
    columns: [],
    values: [],
  });
  return migrationSteps(emptySchema, changes).flatMap((step) =>
    step.kind === "transaction" ? [step.statements] : [],
  );
}

test("a first migration is one transaction as long as its locks are few", () => {
  expect(transactions(50)).toHaveLength(1);
});

rare(
  "no transaction of a first migration takes more than a quarter of the usual lock table",
  () => {
    const sizes = transactions(1000).map((statements) => statements.length);
    expect(sizes.length).toBeGreaterThan(5);
    // Every statement here takes two locks at least.
    expect(Math.max(...sizes)).toBeLessThanOrEqual(750);
  },
);
