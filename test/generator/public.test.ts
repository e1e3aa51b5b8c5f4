import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { generate } from "../../generator/generate.js";
import { writePlan } from "../../generator/output/write.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";

let root: string;

beforeEach(() => {
  root = makeAppFolder();
  mkdirSync(join(root, "resources"));
});
afterEach(() => removeAppFolder(root));

const published = () => join(root, "generated/public.json");

async function generated(descriptors: { readonly [name: string]: string }) {
  for (const [name, text] of Object.entries(descriptors)) {
    writeFileSync(join(root, `resources/${name}.yaml`), text);
  }
  const made = await generate({ root, name: null, consent: [] });
  expect(made.problems).toEqual([]);
  writePlan(root, made.plan);
  const file = existsSync(published()) ? JSON.parse(readFileSync(published(), "utf8")) : null;
  return { file, lines: made.published, remarks: made.remarks };
}

const name = "name: { type: string, required: true }";

describe("public.json", () => {
  test("is absent if nothing is public, and removed when nothing is any more", async () => {
    expect((await generated({ products: `fields:\n  ${name}\n` })).file).toBeNull();
    const open = `access: { read: public }\nfields:\n  ${name}\n`;
    expect((await generated({ products: open })).file).not.toBeNull();
    expect(await generated({ products: `fields:\n  ${name}\n` })).toMatchObject({
      file: null,
      lines: [],
    });
  });

  test("has each action with its condition, fields by their rules, and includes of what is public", async () => {
    const { file } = await generated({
      products: `
access:
  list: [{ who: public, where: { status: live } }, admin]
  get: [{ who: public, where: { status: live } }, { who: public, where: { name: Tea } }]
  stats: public
  create: { who: public, where: { name: Tea }, check: { status: draft } }
  write: [admin]
cache: 60
fields:
  ${name}
  status: { type: enum, values: [draft, live], required: true, default: draft }
  cost: { type: number, access: { read: [admin] } }
  rank: { type: number, access: { write: [admin] } }
  note: { type: string, access: { read: signed-in, write: signed-in } }
  categoryId: { type: belongsTo, resource: categories, inverse: products }
  makerId: { type: belongsTo, resource: makers }
  sellerId: { type: belongsTo, resource: users }
`,
      categories: `access: { read: public }\nfields:\n  ${name}\n`,
      makers: `access: { get: signed-in, list: public }\nfields:\n  ${name}\n`,
    });
    expect(file).toEqual({
      categories: {
        actions: { list: true, get: true },
        readable: ["id", "name", "createdAt", "updatedAt"],
        writable: [],
        include: ["products"],
        cache: null,
      },
      makers: {
        actions: { list: true },
        readable: ["id", "name", "createdAt", "updatedAt"],
        writable: [],
        include: [],
        cache: null,
      },
      products: {
        actions: {
          list: { status: "live" },
          get: { or: [{ status: "live" }, { name: "Tea" }] },
          stats: true,
          create: { and: [{ name: "Tea" }, { status: "draft" }] },
        },
        readable: [
          ...["id", "name", "status", "rank", "categoryId", "makerId", "sellerId"],
          ...["createdAt", "updatedAt"],
        ],
        writable: ["name", "status", "cost", "categoryId", "makerId", "sellerId"],
        include: ["category"],
        cache: 60,
      },
    });
  });

  test("has computed fields among those that are read, and not among those that are set", async () => {
    const { file } = await generated({
      lines: `
access: { read: public, create: public }
fields:
  price: { type: number }
  total: { type: number, decimals: 2, computed: "price * 2" }
`,
    });
    expect(file.lines).toMatchObject({
      readable: ["id", "price", "total", "createdAt", "updatedAt"],
      writable: ["price"],
    });
  });

  test("has statistics only by their own rule", async () => {
    const { file } = await generated({
      products: `access: { stats: public }\nfields:\n  ${name}\n`,
      makers: `access: { read: public }\nfields:\n  ${name}\n`,
    });
    expect(file.products.actions).toEqual({ stats: true });
    expect(file.makers.actions).toEqual({ list: true, get: true });
  });
});

describe("generate", () => {
  const resource = (access: string, more = "") => ({
    comments: `access: ${access}\nfields:\n  ${name}\n${more}`,
  });

  test("prints what has become public, and later fields", async () => {
    const access = "{ list: public, create: public }";
    const { lines } = await generated(resource(access));
    expect(lines).toEqual([
      ...["comments list", "comments create", "comments.id", "comments.name"],
      ...["comments.createdAt", "comments.updatedAt", "comments.name (create)"],
    ]);
    expect((await generated(resource(access))).lines).toEqual([]);
    const ticket = "  ticket: { type: string, access: { read: [admin] } }\n";
    expect((await generated(resource(access, ticket))).lines).toEqual(["comments.ticket (create)"]);
    expect((await generated(resource(access, "  ticket: { type: string }\n"))).lines).toEqual([
      "comments.ticket",
    ]);
  });

  test("prints an action whose condition has changed", async () => {
    await generated(resource("{ list: { who: public, where: { name: Tea } } }"));
    expect((await generated(resource("{ list: public }"))).lines).toEqual(["comments list"]);
  });

  test("reads a former file that it did not write as empty", async () => {
    await generated(resource("{ list: public }"));
    for (const text of ["no JSON", "[]", "null", '{ "comments": null }', '{ "comments": 3 }']) {
      writeFileSync(published(), text);
      expect((await generated(resource("{ list: public }"))).lines).toContain("comments list");
    }
  });

  test("warns of unique fields that callers without a token may set", async () => {
    const { remarks } = await generated({
      comments: `
access: { create: public }
unique: [[name, day]]
fields:
  ${name}
  day: { type: date, access: { write: [admin] } }
  email: { type: string, unique: true }
  code: { type: string, unique: true, access: { write: signed-in } }
`,
    });
    expect(remarks).toEqual(
      ["name", "email"].map(
        (field) =>
          `comments.${field} is unique, and callers without a token may set it: a refusal reveals which values exist`,
      ),
    );
  });
});
