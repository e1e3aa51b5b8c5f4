import { expect, test } from "vitest";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { resolveModel } from "../../generator/model/resolve.js";
import { buildSchema } from "../../generator/schema/build.js";
import { diffSchemas } from "../../generator/schema/diff.js";
import { emptySchema } from "../../generator/schema/replay.js";
import { stepsOf } from "../../generator/schema/steps.js";

/** The first migration's statements, by transaction. */
function transactions(resources: number): readonly (readonly string[])[] {
  const files = Array.from({ length: resources }, (_, at) => ({
    path: `resources/thing${at}.yaml`,
    text: "fields: { name: { type: string, unique: true }, ownerId: { type: belongsTo, resource: users } }",
  }));
  const { model } = resolveModel(readDescriptors(files), []);
  if (model === null) throw new Error("the descriptors are sound");
  const changes = diffSchemas(emptySchema, buildSchema(model), { tables: [], columns: [] });
  return stepsOf(emptySchema, changes).flatMap((step) =>
    step.kind === "transaction" ? [step.statements] : [],
  );
}

test("a first migration is one transaction as long as its locks are few", () => {
  expect(transactions(50)).toHaveLength(1);
});

test("no transaction of a first migration takes more than a quarter of the usual lock table", () => {
  const sizes = transactions(1000).map((statements) => statements.length);
  expect(sizes.length).toBeGreaterThan(5);
  // Every statement here takes two locks at least.
  expect(Math.max(...sizes)).toBeLessThanOrEqual(750);
});
