import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { WrittenFiles } from "../../support/apps/written-app.js";
import { hostile } from "./hostile.js";

const northwind = resolve(import.meta.dirname, "../../../fixtures/apps/northwind/resources");

/** What the inverses of Northwind's links are called, by file and field. */
const inverses: Readonly<Record<string, string>> = {
  "products categoryId": "products",
  "products supplierId": "products",
  "territories regionId": "territories",
  "orders customerId": "orders",
  "order-details orderId": "details",
  "employees reportsToId": "reports",
};

const filler = 82;

/**
 * An app of a hundred resources: Northwind with the inverses of its links, one with sixty fields, one with none, ones
 * whose every word is hostile, ones with rules for each role, and small ones in groups.
 */
export function manyApp(): WrittenFiles {
  const described: Readonly<Record<string, object>> = {
    everything: { label: "Everything", singular: "Thing", group: "Forms", fields: sixtyFields() },
    blanks: { label: "Blanks", group: "Forms" },
    hostiles: hostileResource(),
    ...ruled,
    ...Object.fromEntries(
      Array.from({ length: filler }, (_, at) => [
        `small-${at}`,
        {
          label: `Small ${at}`,
          group: `Group ${at % 8}`,
          fields: { name: { type: "string", required: true } },
        },
      ]),
    ),
  };
  return {
    descriptors: new Map([
      ...northwindDescriptors(),
      ...Object.entries(described).map(
        ([name, one]) => [`${name}.json`, JSON.stringify(one)] as const,
      ),
    ]),
    options: {
      policies: {
        cases: {
          update: (_: unknown, { state }: { readonly state: string }) => state !== "closed",
          delete: (_: unknown, { state }: { readonly state: string }) => state !== "closed",
        },
      },
    } as NonNullable<WrittenFiles["options"]>,
  };
}

function northwindDescriptors(): readonly (readonly [string, string])[] {
  return readdirSync(northwind).map((file) => {
    const text = readFileSync(join(northwind, file), "utf8");
    const withInverses = text.replace(
      /^ {2}(\w+): \{ type: belongsTo, /gm,
      (line, field: string) => {
        const inverse = inverses[`${file.replace(".yaml", "")} ${field}`];
        return inverse === undefined ? line : `${line}inverse: ${inverse}, `;
      },
    );
    return [file, withInverses];
  });
}

/** Six of each kind, in every form that a kind has. */
function sixtyFields(): object {
  const values = (count: number) => Array.from({ length: count }, (_, at) => `choice ${at + 1}`);
  const forms: Readonly<Record<string, readonly object[]>> = {
    string: [
      { required: true, maxLength: 80 },
      { format: "email" },
      { format: "url" },
      { pattern: "[A-Z]{2}-[0-9]{3}", help: "Two letters, a dash, three digits" },
      { unique: true, minLength: 3 },
      { maxLength: 10_000 },
    ],
    text: [{}, { required: true, default: "As usual." }, { minLength: 5 }, {}, {}, {}],
    number: [
      { integer: true, min: 1, max: 10 },
      { decimals: 2, min: 0 },
      { decimals: 4 },
      {},
      { required: true, default: 0 },
      { integer: true, unique: true },
    ],
    boolean: [{ required: true, default: true }, {}, { default: false }, {}, {}, {}],
    enum: [
      { values: values(3), required: true, default: "choice 1" },
      { values: values(4) },
      { values: values(12) },
      { values: values(60) },
      { values: values(2) },
      { values: values(200) },
    ],
    date: [{}, { required: true, default: "2026-02-28" }, {}, {}, {}, {}],
    timestamp: [{}, {}, {}, {}, {}, {}],
    belongsTo: [
      { resource: "users" },
      { resource: "everything", inverse: "parts" },
      { resource: "blanks", inverse: "things" },
      { resource: "categories" },
      { resource: "hostiles", inverse: "others" },
      { resource: "customers" },
    ],
    image: [{}, {}, {}, {}, {}, {}],
    file: [{}, { accept: ["application/pdf"] }, {}, {}, {}, {}],
  };
  return Object.fromEntries(
    Object.entries(forms).flatMap(([type, all]) =>
      all.map((form, at) => [
        type === "belongsTo" ? `link${at}Id` : `${type}${at}`,
        { type, ...form },
      ]),
    ),
  );
}

function hostileResource(): object {
  return {
    label: hostile.html,
    singular: hostile.rightToLeft,
    group: hostile.wide,
    title: "name",
    fields: {
      name: {
        type: "string",
        required: true,
        label: hostile.wide,
        help: hostile.html,
        placeholder: hostile.html,
        description: hostile.html,
      },
      markup: { type: "string", label: hostile.html, maxLength: 10_000 },
      emoji: { type: "string", label: hostile.emoji },
      rightToLeft: { type: "string", label: hostile.rightToLeft },
      prose: { type: "text", label: hostile.template },
      choice: { type: "enum", values: Object.values(hostile) },
      few: { type: "enum", values: [hostile.html, hostile.wide] },
      amount: { type: "number", label: hostile.wide.toLowerCase() },
      parentId: { type: "belongsTo", resource: "hostiles", inverse: "children" },
    },
  };
}

/** Rules for nobody in particular, readers, editors and owners. */
const ruled: Readonly<Record<string, object>> = {
  memos: {
    label: "Memos",
    group: "Rules",
    title: "subject",
    owner: "writerId",
    access: {
      read: ["reader", "editor", "owner"],
      create: "signed-in",
      update: ["editor", "owner"],
      delete: "owner",
    },
    fields: {
      writerId: { type: "belongsTo", resource: "users", required: true },
      subject: { type: "string", required: true },
      remark: { type: "string", access: { read: ["editor"], write: ["editor"] } },
      stamp: { type: "string", access: { write: "nobody" } },
      verdict: { type: "string", access: { write: ["editor"] } },
    },
  },
  ledgers: {
    label: "Ledgers",
    group: "Rules",
    access: { read: ["editor"], write: "nobody" },
    fields: { line: { type: "string", required: true } },
  },
  cases: {
    label: "Cases",
    group: "Rules",
    access: { read: "signed-in", write: ["editor"] },
    fields: {
      subject: { type: "string", required: true },
      state: { type: "enum", values: ["open", "closed"], required: true, default: "open" },
    },
  },
};
