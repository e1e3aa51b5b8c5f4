import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { accessNames } from "../../generator/descriptor/access.js";
import { descriptorShape } from "../../generator/descriptor/shape.js";
import { kinds } from "../../generator/kind/kinds.js";
import { settingsShape } from "../../runtime/config/shape.js";

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

test("editors and the server know the same settings", () => {
  expect(settingsOfSchema(schema("service"))).toEqual(settingsOfShape(settingsShape));
});

/** Every setting's path: `uploads.storage.driver`. */
function settingsOfSchema(part: unknown, path: readonly string[] = []): readonly string[] {
  const node = z
    .object({ properties: properties.optional(), oneOf: z.array(z.unknown()).optional() })
    .parse(part);
  const below = [
    ...Object.entries(node.properties ?? {}).flatMap(([key, value]) =>
      settingsOfSchema(value, [...path, key]),
    ),
    ...(node.oneOf ?? []).flatMap((option) => settingsOfSchema(option, path)),
  ];
  return unique(below.length === 0 ? [path.join(".")] : below);
}

function settingsOfShape(part: unknown, path: readonly string[] = []): readonly string[] {
  if (part instanceof z.ZodPipe) {
    return settingsOfShape(part.out, path);
  }
  if (part instanceof z.ZodDiscriminatedUnion) {
    return unique(part.options.flatMap((option) => settingsOfShape(option, path)));
  }
  if (part instanceof z.ZodObject) {
    return unique(
      Object.entries(part.shape).flatMap(([key, value]) => settingsOfShape(value, [...path, key])),
    );
  }
  return [path.join(".")];
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort();
}
