import { expect, test } from "vitest";
import { compileExpression } from "../../generator/expression/compile.js";
import { ExpressionMistake } from "../../generator/expression/mistake.js";
import type { ValueType } from "../../generator/expression/operand.js";
import { kindNamed } from "../../generator/kind/kinds.js";
import { withColumns } from "../../runtime/values/schema/expression.js";
import { usualId } from "../../runtime/values/schema/id-types.js";
import { startWrittenApp } from "../support/apps/written-app.js";
import { newRandom } from "../support/openapi/random.js";

const common = {
  label: null,
  description: null,
  help: null,
  placeholder: null,
  was: null,
  required: false,
  access: { read: "signed-in", write: "signed-in" },
  list: null,
  readOnly: false,
  columnDefault: false,
  computed: null,
} as const;

/** The fields of the table, by the type that expressions give them. */
const fields = {
  ratio: ["number", {}],
  price: ["number", { decimals: 4 }],
  quantity: ["number", { integer: true }],
  name: ["string", { maxLength: 60 }],
  state: ["enum", { values: ["draft", "{1}"] }],
  isNew: ["boolean", {}],
  sentOn: ["date", {}],
} as const;

const made = Object.entries(fields).map(([name, [kind, options]]) =>
  kindNamed(kind).field(
    { ...common, name, column: name === "isNew" ? "is_new" : name === "sentOn" ? "sent_on" : name },
    options as never,
    (resource) => ({ resource, schema: "public", table: resource, id: usualId }),
  ),
);

const operandOf = (name: string) => {
  const field = made.find((one) => one.name === name);
  return field === undefined ? null : (kindNamed(field.kind).computing?.operand(field) ?? null);
};

const scope = { names: Object.keys(fields), operand: operandOf };

/** What a field of the type shows; a number in each of its three precisions. */
const results: Readonly<Record<ValueType, readonly ((sql: string) => string)[]>> = {
  number: [
    (sql) => `service.computed_double(${sql})`,
    (sql) => `service.computed_decimal(${sql}, 2)`,
    (sql) => `service.computed_integer(${sql})`,
  ],
  string: [(sql) => `service.computed_text(${sql}, 40)`],
  boolean: [(sql) => sql],
  date: [(sql) => sql],
};

type Random = ReturnType<typeof newRandom>;

function expression(random: Random, type: ValueType, depth: number): string {
  const of = (next: ValueType) => expression(random, next, depth - 1);
  const any = () => random.pick(["number", "string", "boolean", "date"] as const);
  const leaf: Readonly<Record<ValueType, readonly string[]>> = {
    number: ["ratio", "price", "quantity", "0", "2", "0.5", "1e300", "-1", "1e12", "null"],
    string: ["name", "state", "''", "'a'", "'it''s {1}'", "null"],
    boolean: ["isNew", "true", "false", "null"],
    date: ["sentOn", "null"],
  };
  if (depth === 0) return random.pick(leaf[type]);
  const a = () => `(${of(type)})`;
  const choice = [
    () => `case when ${of("boolean")} then ${of(type)} else ${of(type)} end`,
    () => `coalesce(${of(type)}, ${of(type)})`,
    () => `least(${of(type)}, ${of(type)})`,
    () => `nullif(${of(type)}, ${of(type)})`,
  ];
  const own: Readonly<Record<ValueType, readonly (() => string)[]>> = {
    number: [
      () => `${a()} ${random.pick(["+", "-", "*", "/"])} ${a()}`,
      () => `${a()} ${random.pick(["*", "/"])} ${a()}`,
      () => `round(${of("number")}, ${of("number")})`,
      () => `${random.pick(["round", "floor", "ceil", "abs"])}(${of("number")})`,
      () => `length(${of("string")})`,
      () => `${random.pick(["year", "month", "day"])}(${of("date")})`,
    ],
    string: [
      () => `${a()} || (${of(random.pick(["string", "number", "date"]))})`,
      () => `${random.pick(["left", "right"])}(${of("string")}, ${of("number")})`,
      () => `${random.pick(["lower", "upper", "trim"])}(${of("string")})`,
      () => `replace(${of("string")}, ${of("string")}, ${of("string")})`,
    ],
    boolean: [
      () => {
        const both = any();
        const [one, other] = [of(both), of(both)];
        return `(${one}) ${random.pick(["=", "<>", "<", "<=", ">", ">="])} (${other})`;
      },
      () => `(${of(any())}) is ${random.pick(["", "not "])}null`,
      () => `${a()} ${random.pick(["and", "or"])} not ${a()}`,
    ],
    date: choice,
  };
  return random.pick([...own[type], ...own[type], ...choice])();
}

const numbers = [
  ["0", "0", "0"],
  ["1.7976931348623157e308", "999999999999999.9999", "9007199254740991"],
  ["-1.7976931348623157e308", "-999999999999999.9999", "-9007199254740991"],
  ["4.9e-324", "0.0001", "1"],
  ["1e-200", "-0.0001", "-1"],
  [null, null, null],
] as const;
const texts = [null, "a", "Ünïcödé ŉß {1}", "x".repeat(60), " it's % ' \\ "] as const;
const dates = [null, "0001-01-01", "9999-12-31", "2024-02-29"] as const;

test("no expression fails for any stored values", async () => {
  const app = await startWrittenApp({
    descriptors: new Map([
      [
        "things.yaml",
        `fields:
${Object.entries(fields)
  .map(([name, [type, options]]) => `  ${name}: ${JSON.stringify({ type, ...options })}`)
  .join("\n")}
`,
      ],
    ]),
  });
  try {
    for (const [at, [ratio, price, quantity]] of numbers.entries()) {
      for (const [place, name] of texts.entries()) {
        const state = [null, "draft", "{1}"][place % 3];
        const isNew = [null, true, false][(at + place) % 3];
        const values = [ratio, price, quantity, name, state, isNew, dates[(at + place) % 4]];
        await app.db.query(
          `insert into things (id, ratio, price, quantity, name, state, is_new, sent_on)
           values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7)`,
          values,
        );
      }
    }
    const random = newRandom(20_261_129);
    let compiled = 0;
    for (let round = 0; round < 1200; round += 1) {
      const type = random.pick(["number", "number", "string", "boolean", "date"] as const);
      const text = expression(random, type, 1 + (round % 4));
      let sql: string;
      let reads: readonly string[];
      try {
        ({ sql, reads } = compileExpression(text, scope, type));
      } catch (error) {
        if (error instanceof ExpressionMistake) continue;
        throw error;
      }
      compiled += 1;
      const columns = reads.map((name) => made.find((one) => one.name === name)?.column ?? "");
      const shown = results[type].map((result) => withColumns(result(sql), columns));
      await app.db.query(`select ${shown.join(", ")} from things`).catch((error: Error) => {
        throw new Error(`${text}\n${shown[0]}: ${error.message}`);
      });
      if (round % 12 > 0) continue;
      await app.db.query(`create index things_tried on things ((${shown[0]}))`);
      await app.db.query("update things set updated_at = now()");
      await app.db.query("drop index things_tried");
    }
    expect(compiled).toBeGreaterThan(600);
  } finally {
    await app.close();
  }
});
