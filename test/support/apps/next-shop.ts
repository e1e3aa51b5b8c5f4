import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { generate } from "../../../generator/generate.js";
import { writePlan } from "../../../generator/output/write.js";

const resources = resolve(import.meta.dirname, "../../../fixtures/apps/shop/resources");

/**
 * Generates the next release of a copied shop: what a server of this one can live with, as new fields, wider ones, a
 * value more, indexes and links. The name of its migration, which is pending.
 */
export async function generateNextShop(root: string): Promise<string> {
  const folder = join(root, "resources");
  cpSync(resources, folder, { recursive: true });
  const path = join(folder, "products.yaml");
  const text = readFileSync(path, "utf8")
    .replace("maxLength: 120", "maxLength: 100")
    .replace("[draft, live, gone]", "[draft, live, gone, old]");
  const fields = [
    "  subtitle: { type: string, maxLength: 40 }",
    "  featured: { type: boolean, default: false }",
    "  weight: { type: number, default: 1 }",
    "  sku: { type: string, maxLength: 40, unique: true }",
    "  otherCategoryId: { type: belongsTo, resource: categories }",
  ];
  writeFileSync(path, `${text.trimEnd()}\n${fields.join("\n")}\n`);
  const { problems, plan, migration } = await generate({ root, name: null, consent: ["products"] });
  expect(problems).toEqual([]);
  if (migration === null) throw new Error("the next release has no migration");
  writePlan(root, plan);
  const sql = readFileSync(join(root, `migrations/${migration}.sql`), "utf8");
  expect(sql.match(/^-- @\w+/gm)?.length).toBeGreaterThan(5);
  expect(sql).not.toContain("-- @breaking");
  return migration;
}
