import { entriesOf, signedInWord, whoOf } from "../../runtime/values/access-rule.js";
import type { Problem } from "../../runtime/values/problem.js";
import { pathKey } from "../../runtime/values/yaml/position.js";
import type { Descriptor, FieldDescriptor } from "../descriptor/descriptor.js";
import { problemOf } from "../descriptor/source.js";
import { compileExpression, type Expression, type Scope } from "../expression/compile.js";
import { ExpressionMistake } from "../expression/mistake.js";
import type { Operand } from "../expression/operand.js";
import { maxCharacterBytes, maxKeyBytes } from "../kind/column/key.js";
import { type Field, fieldWords, kindOf } from "../kind/kinds.js";
import type { Model } from "../model/model.js";
import { fieldOf } from "./field.js";
import { targetOf } from "./names/stored.js";

/** Returns mistakes in expressions, and access rules for writing computed fields, which only PostgreSQL writes. */
export function computedProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  return descriptors.flatMap((descriptor) =>
    descriptor.fields.filter(isComputed).flatMap((field) => {
      const problems: Problem[] = [];
      const compiled = compile(descriptor, field);
      if (compiled instanceof ExpressionMistake) {
        problems.push(problemAt(descriptor, field, compiled));
      }
      problems.push(...tooLong(descriptor, field));
      if (field.access.write !== undefined) {
        const path = ["fields", field.name, "access", "write"];
        const message = `"${field.name}" is computed: callers cannot write it`;
        const hint = 'remove "write"';
        problems.push(problemOf(descriptor.source, { path, at: "key", message, hint }));
      }
      return problems;
    }),
  );
}

/** The problem of a computed field whose values may be too long for an index. */
function tooLong({ source }: Descriptor, { name, kind, options }: FieldDescriptor): Problem[] {
  const option = options.unique === true ? "unique" : "index";
  if (options[option] !== true || (kind?.keyBytes(options) ?? 0) <= maxKeyBytes) return [];
  const message = `"${name}" may be too long for an index`;
  const hint = `lower "maxLength" to ${Math.floor(maxKeyBytes / maxCharacterBytes)}, or leave "${option}" out`;
  return [problemOf(source, { path: ["fields", name, option], at: "value", message, hint })];
}

/** Returns the fields, with expressions added to the computed ones. */
export function withExpressions(
  descriptor: Descriptor,
  fields: readonly Field[],
): readonly Field[] {
  return fields.map((field, at) => {
    const written = descriptor.fields[at];
    if (written === undefined || !isComputed(written)) return field;
    const compiled = compile(descriptor, written);
    const isSound = compiled !== null && !(compiled instanceof ExpressionMistake);
    const sql = isSound ? kindOf(field).computing?.result(field, compiled.sql) : null;
    if (!isSound || typeof sql !== "string") {
      throw new Error(`field ${field.name} cannot be computed, and no problem reports it`);
    }
    const { computed: text, index = false } = written.options;
    const { reads } = compiled;
    const computed = { text: String(text), sql, reads, isIndexed: index === true };
    return { ...field, computed };
  });
}

/** Returns a remark for each computed field that more callers can read than a field from which it is computed. */
export function computedRemarks({ resources }: Model): readonly string[] {
  return resources.flatMap(({ name, fields }) =>
    fields.flatMap((field) =>
      (field.computed?.reads ?? []).flatMap((read) => {
        const source = fields.find((one) => one.name === read);
        if (source === undefined || !isWider(field, source)) return [];
        return [
          `${name}.${field.name} is computed from ${name}.${read}, which fewer callers may read`,
        ];
      }),
    ),
  );
}

/** Whether some callers can read the first field but not the second. */
function isWider({ access: { read } }: Field, { access: { read: other } }: Field): boolean {
  if (other === signedInWord || read === "nobody") return false;
  if (read === signedInWord) return true;
  const admitted = entriesOf(other).map(whoOf);
  if (admitted.includes(signedInWord)) return false;
  return entriesOf(read).some((entry) => !admitted.includes(whoOf(entry)));
}

function isComputed({ options }: FieldDescriptor): boolean {
  return options.computed !== undefined;
}

/** Compiles a field's expression; returns null if a field that the expression reads has mistakes. */
function compile(
  descriptor: Descriptor,
  written: FieldDescriptor,
): Expression | ExpressionMistake | null {
  const operand = operandOf(written);
  if (operand === null) return null;
  let isSound = true;
  const scope: Scope = {
    names: descriptor.fields
      .filter((one) => !isComputed(one) && one.kind?.computing)
      .map(({ name }) => name),
    operand(name, at) {
      const field = descriptor.fields.find((one) => one.name === name);
      if (field === undefined) return null;
      if (isComputed(field)) {
        const message =
          field === written
            ? "an expression cannot name its own field"
            : `"${name}" is itself a computed field`;
        throw new ExpressionMistake(at, message, "compute with stored fields only");
      }
      const { kind } = field;
      if (kind !== null && kind.computing === null) {
        const hint = "compute with strings, numbers, booleans, enums and dates";
        throw new ExpressionMistake(at, `"${name}" is ${fieldWords(kind)}`, hint);
      }
      const found = operandOf(field);
      isSound &&= found !== null;
      return found ?? operand;
    },
  };
  try {
    return compileExpression(String(written.options.computed), scope, operand.type);
  } catch (error) {
    if (!(error instanceof ExpressionMistake)) throw error;
    return isSound ? error : null;
  }
}

/** Null for a field with mistakes. */
function operandOf(field: FieldDescriptor): Operand | null {
  const { kind, options } = field;
  if (kind === null || !kind.computing || !kind.options.safeParse(options).success) return null;
  return kind.computing.operand(
    fieldOf(field, { isPublic: false, linkTo: (to) => targetOf(to, []) }),
  );
}

function problemAt(
  { source }: Descriptor,
  { name }: FieldDescriptor,
  { at, message, hint }: ExpressionMistake,
): Problem {
  const path = ["fields", name, "computed"];
  const textAfter = source.positions.get(pathKey(path))?.textAfter;
  const place = textAfter === undefined ? ` (character ${at + 1})` : "";
  const problem = problemOf(source, {
    path,
    at: "value",
    message: `"computed" of "${name}": ${message}${place}`,
    hint,
  });
  return textAfter === undefined
    ? problem
    : { ...problem, column: problem.column + textAfter + at };
}
