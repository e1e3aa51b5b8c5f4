import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { accessNames } from "../../generator/descriptor/access.js";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { descriptorShape } from "../../generator/descriptor/shape.js";
import { kinds } from "../../generator/kind/kinds.js";

const properties = z.record(z.string(), z.unknown());
const object = z.object({
  properties,
  required: z.array(z.string()).optional(),
  additionalProperties: z.literal(false),
});

function schema(name: string): unknown {
  const path = join(import.meta.dirname, "../../templates/schemas", `${name}.schema.json`);
  return JSON.parse(readFileSync(path, "utf8"));
}

const resource = z.object({ ...object.shape, $defs: properties }).parse(schema("resource"));

test("editors and the generator know the same keys of a descriptor", () => {
  expect(Object.keys(resource.properties).sort()).toEqual(
    Object.keys(descriptorShape.shape).sort(),
  );
  const access = object.parse(resource.properties.access);
  expect(Object.keys(access.properties).sort()).toEqual([...accessNames].sort());
});

const list = z.object({ minItems: z.number(), maxItems: z.number() });
const lists = z.object({ ...list.shape, items: list });

test.each(["unique", "indexes"] as const)(
  "editors and the generator take the same numbers of fields and lists for %s",
  (key) => {
    const { items, minItems, maxItems } = lists.parse(resource.properties[key]);
    const names = Array.from({ length: 40 }, (_, at) => `f${at}`);
    const isTaken = (many: number, most: number) =>
      isSound(key, names.slice(0, many), (at) => [...names.slice(at), ...names].slice(0, most));
    for (const most of [items.minItems, items.maxItems]) {
      expect([minItems - 1, minItems, maxItems, maxItems + 1].map((n) => isTaken(n, most))).toEqual(
        [false, true, true, false],
      );
    }
    for (const many of [minItems, maxItems]) {
      expect(isTaken(many, items.minItems - 1)).toBe(false);
      expect(isTaken(many, items.maxItems + 1)).toBe(false);
    }
  },
);

test("editors and the generator take the same numbers of columns, and of fields in a row", () => {
  const names = Array.from({ length: 120 }, (_, at) => `f${at}`);
  const fields = Object.fromEntries(names.map((name) => [name, { type: "date" }]));
  const isTaken = (part: object) => {
    const text = JSON.stringify({ fields, ...part });
    return readDescriptors([{ path: "resources/things.json", text }]).problems.length === 0;
  };
  const columns = list.parse(resource.properties.list);
  const rows = z.object({ items: z.object({ oneOf: z.tuple([z.unknown(), list]) }) });
  const row = rows.parse(resource.properties.form).items.oneOf[1];
  for (const [{ minItems, maxItems }, part] of [
    [columns, (many: number) => ({ list: names.slice(0, many) })],
    [row, (many: number) => ({ form: [names.slice(0, many)] })],
  ] as const) {
    const around = [minItems - 1, minItems, maxItems, maxItems + 1];
    expect(around.map((many) => isTaken(part(many)))).toEqual([false, true, true, false]);
  }
});

/** Whether a descriptor is taken that has a list of these fields for each of the first names. */
function isSound(key: string, each: readonly string[], fields: (at: number) => string[]): boolean {
  const all = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`f${at}`, { type: "date" }]),
  );
  const text = JSON.stringify({ fields: all, [key]: each.map((_, at) => fields(at)) });
  return readDescriptors([{ path: "resources/things.json", text }]).problems.length === 0;
}

test("editors and the generator know the same types of field", () => {
  const { properties: field } = z.object({ properties }).parse(resource.$defs.field);
  const names = kinds.map(({ name }) => name);
  expect(field.type).toEqual({ enum: names });
});

test.each(kinds.map(({ name, options }) => [name, options] as const))(
  "editors and the generator know the same options of %s",
  (name, options) => {
    const known = object.parse(resource.$defs[name]);
    expect(Object.keys(known.properties).sort()).toEqual(Object.keys(options.shape).sort());
    const needed = Object.entries(options.shape).filter(
      ([, option]) => !z.safeParse(option, undefined).success,
    );
    expect(known.required?.toSorted()).toEqual(needed.map(([option]) => option).sort());
  },
);

test("every key has a description for editors", () => {
  const described = z.record(z.string(), z.object({ description: z.string().min(1) }));
  for (const { name } of kinds) {
    expect(() => described.parse(object.parse(resource.$defs[name]).properties)).not.toThrow();
  }
  expect(() => described.parse(resource.properties)).not.toThrow();
});
