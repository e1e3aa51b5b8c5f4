import type { Call } from "../kind/kind.js";
import { defaultOf, type Field, isNullable, isRequired, kindOf } from "../kind/kinds.js";
import type { Resource } from "../model/model.js";
import { writtenFields } from "../model/needed.js";
import { isRuntimeSymbol, type RuntimeSymbol } from "../model/runtime-symbols.js";
import { columns } from "../text/columns.js";
import type { Import } from "../text/imports.js";
import { group, indent, type Layout, line, print, width } from "../text/layout.js";
import { render } from "../text/templates.js";
import { call, type Literal, literal, property, tallObject } from "../text/typescript.js";
import { type EmittedFile, preamble, resourceFile, runtimeImport, runtimeTypes } from "./file.js";

/** Emits `validation.ts`: the rules of POST, PUT and PATCH bodies. */
export function emitValidation(resource: Resource): EmittedFile {
  const { type, variable } = resource;
  const fields = writtenFields(resource);
  const validators = new Set(fields.flatMap((field) => symbolsOf(kindOf(field).validation(field))));
  return {
    path: resourceFile(resource, "validation"),
    text: render("generated/validation.ts", {
      preamble: preamble(resource, [
        runtimeNames([...validators]),
        { from: "./types.js", names: [`${type}Values as Values`], typeOnly: true },
      ]),
      type,
      variable,
      fields: print(tallObject(fields.map(fieldProperty)), { indent: 0, reserved: 1 }),
      create: bodyShape(fields, createDefault),
      replace: bodyShape(fields, replaceDefault),
    }),
  };
}

function runtimeNames(validators: readonly RuntimeSymbol[]): Import {
  if (validators.length === 0) return runtimeTypes(["Shape"]);
  const { from, names } = runtimeImport(validators);
  return { from, names: ["type Shape", ...names] };
}

function fieldProperty(field: Field): Layout {
  const validation = kindOf(field).validation(field);
  const checked = validatorCall(validation);
  const isDone = field.required || validation.takesNull === true;
  return property(field.name, isDone ? checked : [checked, ".nullable()"]);
}

function validatorCall({ validator, of, argument }: Call): Layout {
  return call(validator, [
    ...(of === undefined ? [] : [validatorCall(of)]),
    ...(argument === null ? [] : [literal(argument)]),
  ]);
}

/** Returns the validators that a call uses. */
function symbolsOf({ validator, of }: Call): readonly RuntimeSymbol[] {
  if (!isRuntimeSymbol(validator)) {
    throw new Error(`A kind names ${validator}, which the runtime does not have`);
  }
  return [validator, ...(of === undefined ? [] : symbolsOf(of))];
}

/** Returns the shape of the fields, with a default for those that the body may omit. */
function bodyShape(
  fields: readonly Field[],
  usualOf: (field: Field) => Literal | typeof leftOut | undefined,
): string {
  const optional = fields.flatMap((field) => {
    const value = usualOf(field);
    if (value === undefined) return [];
    return [value === leftOut ? left(field) : withDefault(field.name, value)];
  });
  if (optional.length === 0) return "fields";
  return print(tallObject(["...fields", ...optional]), { indent: 0, reserved: 1 });
}

/** Maximum length of an argument, in columns, for which formatters never break inside the call's parentheses. */
const shortArgument = width / 4;

/**
 * Adds a default. Formatters break a call with a long argument inside its brackets if the preceding text fits on the
 * line.
 */
function withDefault(name: string, value: Literal): Layout {
  const argument = print(literal(value), { indent: 0 });
  const start = `fields.${name}.default`;
  const opening = `  ${name}: ${start}(`;
  if (columns(argument) > shortArgument && opening.length <= width) {
    return property(name, call(start, [argument]));
  }
  return group(`${name}:`, indent(line, call(start, [argument])));
}

/** Stands for the default of a column, which applies to a value that a create request omits. */
const leftOut = Symbol("left out");

function left({ name }: Field): Layout {
  return property(name, `fields.${name}.optional()`);
}

/** Returns the descriptor's default, or else the empty value of an optional field. */
function createDefault(field: Field): Literal | typeof leftOut | undefined {
  if (field.columnDefault) return leftOut;
  return defaultOf(field) ?? replaceDefault(field);
}

function replaceDefault(field: Field): Literal | undefined {
  if (field.list !== null) return isRequired(field) ? undefined : [];
  if (field.required) return undefined;
  return isNullable(field) ? null : kindOf(field).emptyValue?.literal;
}
