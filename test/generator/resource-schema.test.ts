import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { validFixtures } from "../../fixtures/folders.js";
import { resourceSchema } from "../../fixtures/schemas/resource-schema.js";
import { type DescriptorFile, findDescriptors } from "../../generator/descriptor/find.js";
import { parseDescriptor } from "../../generator/descriptor/parse.js";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { kinds } from "../../generator/kind/kinds.js";
import { resolveModel } from "../../generator/resolve/resolve.js";
import type { Problem } from "../../runtime/values/problem.js";

const matches = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  validateFormats: false,
}).compile(resourceSchema());

function isTaken(file: DescriptorFile): boolean {
  // As an editor has it: without the prototypes that the parser leaves out.
  return matches(JSON.parse(JSON.stringify(parseDescriptor(file).value)));
}

/** What the generator says of the files, by their paths. */
function problemsOf(files: readonly DescriptorFile[]): readonly Problem[] {
  return resolveModel(readDescriptors(files), ["product", "square", "wide"]).problems;
}

function thing(text: string): DescriptorFile {
  return { path: "resources/things.yaml", text };
}

const names = (many: number) => Array.from({ length: many }, (_, at) => `f${at}`);
const dated = (many: number) =>
  Object.fromEntries(names(many).map((name) => [name, { type: "date" }]));
/** A descriptor with that many fields and this part. */
const withFields = (many: number, part: object) => JSON.stringify({ fields: dated(many), ...part });
/** As many different lists of as many fields. */
const lists = (many: number, most: number) =>
  names(40)
    .slice(0, many)
    .map((_, at) => [...names(40).slice(at), ...names(40)].slice(0, most));

const title = "fields: { name: { type: string }, a: { type: date } }";

const good = [
  "fields: {}",
  "fields:",
  "label: Things",
  `${title}\nlabel: Things\nsingular: Thing\ntitle: name\nicon: shopping-cart\ngroup: Sales\nwas: old-things`,
  `${title}\nlist: [id, name, createdAt]\nform: [[name, a]]`,
  `${title}\nform: [name, [a]]`,
  "access: { read: signed-in, write: [admin], delete: nobody }\nfields: {}",
  "access: { list: [a, b] }\nfields: { a: { type: date, access: { read: [a], write: nobody } } }",
  "owner: who\naccess: { read: owner, write: [owner, admin] }\nfields: { who: { type: belongsTo, resource: users, required: true } }",
  "access: { read: public, create: [public] }\ncache: 60\nfields: {}",
  "access: { read: [signed-in] }\nfields: {}",
  "access: { read: [{ who: public, where: { a: 2026-01-31 } }, admin], write: { who: signed-in, check: { a: null } } }\nfields: { a: { type: date } }",
  "fields: { a: { type: string, minLength: 0, maxLength: 10000, pattern: '[a-z]+' } }",
  "fields: { a: { type: string, format: email, unique: true, required: true, help: h, placeholder: p } }",
  "fields: { a: { type: text, maxLength: 10000000, default: x, label: L, description: D, was: b } }",
  "fields: { a: { type: number, min: 1.5, max: 2, decimals: 15 }, b: { type: number, integer: true, default: 3 } }",
  "fields: { a: { type: boolean, default: true } }",
  "fields: { a: { type: enum, values: [draft, live], default: live, unique: true } }",
  "fields: { a: { type: date, default: 2026-01-31 }, b: { type: timestamp, default: '2026-01-31T09:30:00Z' } }",
  "fields: { a: { type: belongsTo, resource: things, inverse: others, unique: true } }",
  "fields: { a: { type: belongsTo, resource: users, onDelete: cascade, required: true } }",
  "fields: { a: { type: image, profile: product }, b: { type: file, accept: [application/pdf, 'image/*'] } }",
  "fields: { a: { type: file, accept: any } }",
  "fields: { a: { type: json, index: true, default: { b: [1] }, required: true } }",
  withFields(100, { list: names(100) }),
  withFields(4, { form: [names(4)] }),
  withFields(40, { unique: lists(32, 8) }),
  withFields(40, { unique: lists(1, 2) }),
  withFields(40, { indexes: lists(32, 8) }),
  withFields(40, { indexes: [["-f1"], ["f2", "-createdAt"]] }),
  withFields(1000, {}),
];

const bad = [
  "[]",
  "text",
  "colour: red",
  "label: ''",
  `label: ${"a".repeat(256)}`,
  "label: 5",
  "icon: Cart",
  `icon: ${"a".repeat(41)}`,
  "was: Old_Things",
  "owner: a.b.c.d",
  "owner: 3",
  "owner: { through: things }",
  "owner: { link: a.b.c.d, through: things }",
  "owner: { link: id, through: things, colour: red }",
  "fields: []",
  "fields: { a: date }",
  "fields: { a: }",
  "fields: { a: {} }",
  "fields: { a: { type: varchar } }",
  "fields: { A: { type: date } }",
  "fields: { a_b: { type: date } }",
  "fields: { id: { type: date } }",
  "fields: { createdAt: { type: date } }",
  "fields: { a: { type: date, minLength: 1 } }",
  "fields: { a: { type: string, required: 1 } }",
  "fields: { a: { type: string, maxLength: 10001 } }",
  "fields: { a: { type: string, maxLength: 0 } }",
  "fields: { a: { type: string, minLength: 1.5 } }",
  "fields: { a: { type: string, format: phone } }",
  "fields: { a: { type: text, unique: true } }",
  "fields: { a: { type: json, unique: true } }",
  "fields: { a: { type: string, label: '' } }",
  "fields: { a: { type: string, was: B } }",
  "fields: { a: { type: number, min: low } }",
  "fields: { a: { type: number, decimals: 16 } }",
  "fields: { a: { type: boolean, default: 1 } }",
  "fields: { a: { type: enum } }",
  "fields: { a: { type: enum, values: [] } }",
  "fields: { a: { type: enum, values: [x, x] } }",
  "fields: { a: { type: enum, values: [''] } }",
  "fields: { a: { type: date, default: tomorrow } }",
  "fields: { a: { type: belongsTo } }",
  "fields: { a: { type: belongsTo, resource: things, onDelete: never, required: true } }",
  "fields: { a: { type: belongsTo, resource: things, inverse: Others } }",
  "fields: { a: { type: image, profile: 1st } }",
  "fields: { a: { type: file, accept: [pdf] } }",
  "fields: { a: { type: file, accept: [] } }",
  "fields: { a: { type: file, accept: [any] } }",
  "fields: { a: { type: file, accept: all } }",
  "fields: { a: { type: image, accept: any } }",
  "fields: { a: { type: date, access: { list: nobody } } }",
  "fields: { a: { type: date, access: { read: owner } } }",
  "fields: { a: { type: date, access: { read: [owner] } } }",
  "access: { update: public }",
  "access: { delete: [public] }",
  "access: { read: { who: nobody } }",
  "access: { read: { where: { id: null } } }",
  "access: { read: { who: public, where: {} } }",
  "access: { read: { who: public, check: { id: null } } }",
  "access: { read: { who: public, when: { id: null } } }",
  "cache: 0\naccess: { read: public }",
  "cache: 86401\naccess: { read: public }",
  "fields: { a: { type: date, access: { read: public } } }",
  "access: everybody",
  "access: { browse: nobody }",
  "access: { read: everybody }",
  "access: { read: [] }",
  "access: { read: [admin, admin] }",
  "access: { read: [1] }",
  `${title}\ntitle: The name`,
  `${title}\nlist: []`,
  `${title}\nlist: [name, name]`,
  `${title}\nform: [[name, name]]`,
  `${title}\nform: [id]`,
  `${title}\nunique: [name]`,
  `${title}\nunique: [[name]]`,
  `${title}\nunique: [[name, createdAt]]`,
  `${title}\nindexes: [[id]]`,
  `${title}\nindexes: []`,
  `${title}\nindexes: [[]]`,
  withFields(101, { list: names(101) }),
  withFields(5, { form: [names(5)] }),
  withFields(40, { unique: lists(33, 8) }),
  withFields(40, { unique: lists(1, 9) }),
  withFields(40, { indexes: lists(33, 8) }),
  withFields(40, { indexes: lists(1, 9) }),
  withFields(1001, {}),
];

const short = (texts: readonly string[]) =>
  texts.map((text) => [text.slice(0, 120), text] as const);

describe("editors and the generator", () => {
  test.each(short(good))("both accept %s", (_, text) => {
    expect(problemsOf([thing(text)])).toEqual([]);
    expect(isTaken(thing(text))).toBe(true);
  });

  test.each(short(bad))("both refuse %s", (_, text) => {
    expect(problemsOf([thing(text)])).not.toEqual([]);
    expect(isTaken(thing(text))).toBe(false);
  });
});

test("an editor accepts every descriptor of the fixtures that the generator accepts", () => {
  const files = validFixtures.flatMap((folder) => findDescriptors(folder));
  expect(files.length).toBeGreaterThan(80);
  expect(files.filter((file) => !isTaken(file)).map(({ path }) => path)).toEqual([]);
});

test("an editor shows a sentence for every key, kind of field and option", () => {
  const { properties = {}, $defs = {} } = resourceSchema();
  const parts = [
    properties,
    ...["fieldAccess", ...kinds.map(({ name }) => name)].flatMap((name) => {
      const definition = $defs[name] ?? {};
      return [{ [name]: definition }, definition.properties ?? {}];
    }),
  ];
  const bare = parts.flatMap((part) =>
    Object.entries(part).filter(([, one]) => typeof one === "boolean" || !one.description),
  );
  expect(bare.map(([key]) => key)).toEqual([]);
});
