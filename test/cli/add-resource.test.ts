import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { service } from "./service.js";

let root: string;

beforeEach(() => {
  root = makeAppFolder();
  mkdirSync(join(root, "resources"));
  writeFileSync(join(root, "resources/categories.yaml"), "fields: { name: { type: string } }\n");
});
afterEach(() => removeAppFolder(root));

function add(...args: readonly string[]) {
  return service(root, ["add", "resource", ...args]);
}

const path = () => join(root, "resources/products.yaml");
const schema =
  "# yaml-language-server: $schema=../node_modules/service-cli/templates/schemas/resource.schema.json\n";

test("writes a descriptor that generate takes", async () => {
  const fields = [
    "name:string:120!",
    "price:number:2!",
    "stock:number:0",
    "weight:number",
    "status:enum:draft,live",
    "level:enum:1,two words,it's,a:b!",
    "notes:text:500",
    "body:text",
    "active:boolean!",
    "releasedOn:date",
    "soldOutAt:timestamp",
    "image:image",
    "manual:file",
    "category:categories",
    "parentId:products",
    "maker:users!",
    "words:list:string:40!",
    "sizes:list:enum:s,m",
    "categories:list:categories!",
    "staffIds:list:users",
  ];
  const { exitCode, stdout, stderr } = await add("products", ...fields);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^wrote {2}resources\/products\.yaml\n/);
  expect(readFileSync(path(), "utf8")).toBe(
    `${schema}fields:
  name: { type: string, required: true, maxLength: 120 }
  price: { type: number, required: true, decimals: 2 }
  stock: { type: number, integer: true }
  weight: { type: number }
  status: { type: enum, values: [draft, live] }
  level: { type: enum, values: ["1", two words, it's, a:b], required: true }
  notes: { type: text, maxLength: 500 }
  body: { type: text }
  active: { type: boolean, required: true }
  releasedOn: { type: date }
  soldOutAt: { type: timestamp }
  image: { type: image }
  manual: { type: file }
  categoryId: { type: belongsTo, resource: categories }
  parentId: { type: belongsTo, resource: products }
  makerId: { type: belongsTo, resource: users, required: true }
  words: { type: string, required: true, list: true, maxLength: 40 }
  sizes: { type: enum, values: [s, m], list: true }
  categoryIds: { type: links, resource: categories, required: true }
  staffIds: { type: links, resource: users }
`,
  );
  const generated = await service(root, ["generate", "--json"]);
  expect(JSON.parse(generated.stdout).problems).toEqual([]);
});

test("writes one without fields, in an app without resources", async () => {
  const empty = makeAppFolder();
  writeFileSync(join(empty, "service.yaml"), "");
  const { exitCode } = await service(empty, ["add", "resource", "order-items"]);
  expect(exitCode).toBe(0);
  const text = readFileSync(join(empty, "resources/order-items.yaml"), "utf8");
  expect(text).toBe(`${schema}fields: {}\n`);
  removeAppFolder(empty);
});

test("never overwrites one, with any extension", async () => {
  await add("products", "name:string");
  const before = readFileSync(path(), "utf8");
  const again = await add("products", "title:string");
  expect([again.exitCode, again.stderr]).toEqual([
    1,
    "resources/products.yaml already exists\n  hint: edit it, or choose another name",
  ]);
  expect(readFileSync(path(), "utf8")).toBe(before);
  writeFileSync(join(root, "resources/tags.json"), "{}");
  expect((await add("tags")).stderr).toContain("resources/tags.json already exists");
  expect(readdirSync(join(root, "resources")).sort()).toEqual([
    "categories.yaml",
    "products.yaml",
    "tags.json",
  ]);
});

test.each([
  ["an unknown kind", "name:strng", 'name:strng: "strng" is neither', 'did you mean "string"?'],
  ["another tool's kind", "at:datetime", "at:datetime: ", 'did you mean "timestamp"?'],
  [
    "an unknown target",
    "shelf:shelves",
    'shelf:shelves: "shelves" is neither',
    "the resources are",
  ],
  ["a kind that is missing", "name", "name: a field needs a name and a kind", "name:string"],
  ["a name that is missing", ":string", ":string: a field needs a name", "name:string"],
  ["a bad name", "Name:string!", 'Name:string!: "Name" cannot be a field\'s name', "such as name"],
  ["a reserved name", "id:string", "id:string: ", "hint"],
  ["a bad length", "name:string:x", "the length must be a whole number", "name:string:120"],
  ["a length out of bounds", "name:string:0", 'name:string:0: "maxLength" must be', "hint"],
  ["too many places", "price:number:99", 'price:number:99: "decimals" must be', "decimals: 2"],
  ["an enum without values", "status:enum", "an enum needs its values", "status:enum:draft,live"],
  ["values twice", "status:enum:a,a", 'status:enum:a,a: entry 2 of "values"', "hint"],
  ["an option too many", "on:date:2", '"date" takes no option', "write on:date"],
  ["an option of a link", "category:categories:x", "a link takes no option", "category:categories"],
  [
    "a link by its kind",
    "category:belongsTo:categories",
    "the name of its target resource",
    "category:categories",
  ],
  [
    "links by their kind",
    "tags:links:categories",
    "the name of its target resource",
    "tags:list:categories",
  ],
  ["a list of nothing", "tags:list", '"list" is neither', "the kinds are"],
  ["a list of an unknown kind", "tags:list:shelves", '"shelves" is neither', "the kinds are"],
  ["a list of a kind without lists", "on:list:timestamp", '"list"', "hint"],
])("refuses %s and writes nothing", async (_, field, message, hint) => {
  const { exitCode, stdout, stderr } = await add("products", "title:string", field);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).toContain(hint);
  expect(stderr).toContain("1 problem; nothing was written");
  expect(existsSync(path())).toBe(false);
});

test("reports all problems at once, those of other files too", async () => {
  writeFileSync(join(root, "resources/broken.yaml"), "fields: { a: { type: x } }\n");
  const { stderr } = await add("products", "name:string", "name:text", "price:nmber", "size:enum");
  expect(stderr).toContain('price:nmber: "nmber" is neither a kind of field nor a resource');
  expect(stderr).toContain("size:enum: an enum needs its values");
  expect(stderr).toMatch(/^name:text: /m);
  expect(stderr).toContain('resources/broken.yaml:1:22: "x" is not a field type');
  expect(stderr).toContain("4 problems; nothing was written");
  expect(existsSync(path())).toBe(false);
});

test.each([["Products"], ["../products"], ["a/b"], ["users"], ["auth"], ["x_y"], [""]])(
  'refuses the name "%s"',
  async (name) => {
    const { exitCode } = await add(name, "name:string");
    expect(exitCode).toBe(1);
    expect(readdirSync(root, { recursive: true }).sort()).toEqual([
      "resources",
      "resources/categories.yaml",
    ]);
  },
);

test("a required link to itself is refused, as generate refuses it", async () => {
  const { exitCode, stderr } = await add("products", "parent:products!");
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^parent:products!: /);
  expect(existsSync(path())).toBe(false);
});
