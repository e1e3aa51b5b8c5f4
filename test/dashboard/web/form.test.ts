import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Field } from "../../../runtime/dashboard/web/api/client/types.js";
import { layoutOf } from "../../../runtime/dashboard/web/form/layout.js";
import {
  bodyOf,
  changedFields,
  formReducer,
  hopelessFields,
  isSame,
  newBodyOf,
  openForm,
  problemOf,
  shownProblem,
  startOf,
  type Typed,
  typedOf,
} from "../../../runtime/dashboard/web/form/state.js";
import { kindNames, kindOf } from "../../../runtime/dashboard/web/kinds/kinds.js";

const name: Field = { name: "name", type: "string", required: true, maxLength: 20 };
const price: Field = { name: "price", type: "number", required: true, decimals: 2, min: 0 };
const stock: Field = { name: "stock", type: "number", integer: true, default: 0 };
const note: Field = { name: "note", type: "text", maxLength: 200 };
const fields = [name, price, stock, note];
const before: Typed = { name: "Tea", price: "4.50", stock: "3", note: "" };

describe("a form", () => {
  test("a change is a comparison, not a flag: typing a value back changes nothing", () => {
    let state = openForm(before);
    state = formReducer(state, { kind: "typed", field: "price", value: "4.5" });
    expect(changedFields(fields, state.before, state.mine)).toEqual([]);
    state = formReducer(state, { kind: "typed", field: "price", value: "5" });
    expect(changedFields(fields, state.before, state.mine)).toEqual([price]);
    expect(bodyOf([price], state.mine)).toEqual({ price: 5 });
  });

  test("a field is checked when it is left, and then while typing", () => {
    let state = openForm(before);
    state = formReducer(state, { kind: "typed", field: "price", value: "-1" });
    expect(shownProblem(state, price)).toBeUndefined();
    state = formReducer(state, { kind: "left", field: "price" });
    expect(shownProblem(state, price)).toBe("Must be at least 0");
    state = formReducer(state, { kind: "typed", field: "price", value: "1" });
    expect(shownProblem(state, price)).toBeUndefined();
  });

  test("the API's error disappears when its field changes, and not before", () => {
    let state = openForm(before);
    const refused = { name: "Taken", price: "Odd" };
    state = formReducer(state, { kind: "refused", fields: refused, together: [] });
    state = formReducer(state, { kind: "typed", field: "price", value: "9" });
    expect(state.refused).toEqual({ name: "Taken" });
    state = formReducer(state, { kind: "typed", field: "name", value: "Tea" });
    expect(shownProblem(state, name)).toBe("Taken");
    expect(shownProblem(state, name)).toBe("Taken");
  });

  test("a change of one of several values refused together clears the error of all", () => {
    const refused = { name: "Same", stock: "Same", price: "Odd" };
    const together = [["name", "stock"]];
    let state = formReducer(openForm(before), { kind: "refused", fields: refused, together });
    state = formReducer(state, { kind: "typed", field: "stock", value: "4" });
    expect(state.refused).toEqual({ price: "Odd" });
    state = formReducer(state, { kind: "refused", fields: { name: "Again" }, together: [] });
    state = formReducer(state, { kind: "typed", field: "stock", value: "5" });
    expect(state.refused).toEqual({ name: "Again" });
  });

  test("text typed during a save stays a change", () => {
    let state = openForm(before, { ...before, name: "Coffee" });
    const sent = state.mine;
    state = formReducer(state, { kind: "typed", field: "stock", value: "9" });
    state = formReducer(state, { kind: "saved", record: { ...before, name: "Coffee" }, sent });
    expect(changedFields(fields, state.before, state.mine)).toEqual([stock]);
    expect(state.mine.name).toBe("Coffee");
  });

  test("a new record leaves out empty fields, but not those that clear a default", () => {
    const start = startOf(fields);
    expect(start).toEqual({ name: "", price: "", stock: "0", note: "" });
    expect(newBodyOf(fields, { ...start, name: "Tea", price: "1", stock: "" })).toEqual({
      name: "Tea",
      price: 1,
      stock: null,
    });
  });

  test("a pattern that the browser interprets differently from the API does not block the form", () => {
    const code: Field = { name: "code", type: "string", required: true, pattern: "[A-Z]+" };
    expect(problemOf(code, "abc")).toBe("Must match [A-Z]+");
    expect(hopelessFields([code], { code: "abc" })).toEqual([]);
    expect(problemOf({ ...code, pattern: "(?P<x>a)" }, "abc")).toBeUndefined();
  });
});

describe("kinds", () => {
  const cases: readonly (readonly [Partial<Field> & { type: string }, string, unknown])[] = [
    [{ type: "number" }, "1 200.5", 1200.5],
    [{ type: "number" }, "1e3", 1000],
    [{ type: "number", decimals: 2 }, ".5", 0.5],
    [{ type: "string" }, "", null],
    [{ type: "boolean" }, "", null],
    [{ type: "boolean", required: true }, "true", true],
    [{ type: "enum", values: ["a", "b"] }, "b", "b"],
    [{ type: "date" }, "2024-02-29", "2024-02-29"],
    [{ type: "timestamp" }, "2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00.000Z"],
    [{ type: "belongsTo" }, "", null],
    [{ type: "json" }, ' {"a": [1, null]} ', { a: [1, null] }],
    [{ type: "json" }, "", null],
    [{ type: "file" }, "a/b/2026/01/x", "a/b/2026/01/x"],
  ];
  test.each(cases)("%j accepts %j", (field, typed, value) => {
    const whole = { name: "field", ...field };
    expect(kindOf(whole).form.parse(whole, typed)).toEqual({ kind: "value", value });
  });

  const wrong: readonly (readonly [Partial<Field> & { type: string }, string, string | RegExp])[] =
    [
      [{ type: "number", integer: true }, "1.5", /whole number/],
      [{ type: "number" }, "1.200.300", "Must be a number"],
      [{ type: "number", decimals: 2 }, "1.234", "At most 2 decimal places"],
      [{ type: "string", required: true }, "", "A value is required"],
      [{ type: "string", maxLength: 3 }, "👍👍👍👍", "At most 3 characters"],
      [{ type: "string", format: "email" }, "nobody", "Must be an email address"],
      [{ type: "enum", values: ["a"] }, "z", "Must be one of: a"],
      [{ type: "json" }, '{\n"a": 1,\n"a": 2}', "Line 3: This key is repeated"],
      [{ type: "json" }, '{\n"a": 1e400}', /^Line 2: Cannot be stored exactly/],
      [{ type: "json" }, '{\n"a": x}', /^Line 2: This is not JSON$|^This is not JSON$/],
      [{ type: "json" }, '{"a": "\\u0000"}', /^a: Text must be Unicode/],
      [{ type: "date" }, "2026-02-29", /does not exist/],
      [{ type: "date" }, "?", /incomplete/],
      [{ type: "belongsTo", required: true }, "", "A value is required"],
      [{ type: "belongsTo" }, "tea", "Must be the id of a record"],
    ];
  test.each(wrong)("%j refuses %j", (field, typed, message) => {
    const problem = problemOf({ name: "field", ...field }, typed);
    expect(problem).toMatch(message);
  });

  test("a number is shown with all its decimals, and keeps its value", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.integer({ min: 0, max: 4 }),
        (whole, decimals) => {
          const field: Field = { name: "n", type: "number", decimals };
          const value = whole / 10 ** decimals;
          const kind = kindOf(field).form;
          const typed = kind.typed(value, field);
          expect(kind.parse(field, typed)).toEqual({ kind: "value", value });
          expect(kind.compare(field, typed, String(value))).toBe(true);
        },
      ),
    );
  });

  test("every kind reads back the text that it shows", () => {
    const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
      string: fc
        .string({ minLength: 1 })
        .filter((text) => !text.includes("\0") && text.isWellFormed()),
      text: fc
        .string({ minLength: 1 })
        .filter((text) => !text.includes("\0") && text.isWellFormed()),
      number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      boolean: fc.boolean(),
      enum: fc.constantFrom("a", "b"),
      date: fc
        .date({ min: new Date("0001-01-02"), max: new Date("9999-12-30"), noInvalidDate: true })
        .map((day) => day.toISOString().slice(0, 10)),
      timestamp: fc
        .date({ min: new Date("0001-01-02"), max: new Date("9999-12-30"), noInvalidDate: true })
        .map((day) => day.toISOString()),
      belongsTo: fc.uuid(),
      links: fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 5 }),
      json: fc
        .jsonValue({ depthSize: "small" })
        .filter((value) => value !== null && JSON.stringify(value).isWellFormed())
        .map((value): unknown => JSON.parse(JSON.stringify(value).replaceAll("\\u0000", ""))),
      image: fc.string({ minLength: 1 }),
      file: fc.string({ minLength: 1 }),
    };
    expect(Object.keys(values)).toEqual(kindNames);
    for (const [type, arbitrary] of Object.entries(values)) {
      const field: Field = { name: "field", type, values: ["a", "b"] };
      fc.assert(
        fc.property(arbitrary, (value) => {
          const typed = typedOf([field], { field: value });
          expect(bodyOf([field], typed)).toEqual({ field: value });
          expect(isSame(field, typed.field, typed.field)).toBe(true);
        }),
        { numRuns: 50 },
      );
    }
  });
});

test("fields are placed as the descriptor says, then by kind; many without placement by whether they are required", () => {
  expect(layoutOf({ form: [["name", "price"], "note"] }, fields)).toEqual([
    {
      name: "all",
      places: [
        { field: name, span: 6 },
        { field: price, span: 6 },
        { field: note, span: 12 },
        { field: stock, span: 4 },
      ],
    },
  ]);
  const many = Array.from(
    { length: 60 },
    (_, at): Field => ({ name: `f${at}`, type: "string", required: at % 2 === 0 }),
  );
  expect(layoutOf({}, many).map((group) => [group.name, group.places.length])).toEqual([
    ["required", 30],
    ["optional", 30],
  ]);
  expect(layoutOf({}, [])).toEqual([{ name: "all", places: [] }]);
});
