import { type Field, isFile, kindOf } from "../kind/kinds.js";
import { elementOf } from "../kind/list/list.js";
import type { Resource } from "../model/model.js";
import type { Layout } from "../text/layout.js";
import { type Literal, literal, property, tallObject } from "../text/typescript.js";
import { ruleWords } from "./table/column.js";

/** The part of `routes.ts` about file fields; empty if there are none. */
export function uploads({ name, type, fields }: Resource): readonly Layout[] {
  const files = fields.filter(isFile);
  if (files.length === 0) return [];
  const taken = files.map((field) =>
    property(field.name, literal({ kind: field.kind, ...fileRule(field), ...writeRule(field) })),
  );
  return [
    property(
      "uploads",
      tallObject([
        property("resource", literal(name)),
        property("type", literal(type)),
        property("access", "table.access"),
        property("fields", tallObject(taken)),
      ]),
    ),
  ];
}

function writeRule({ access: { write } }: Field): Record<string, Literal> {
  return write === "signed-in" ? {} : { write: ruleWords(write) };
}

/** Returns which files are accepted and how they are processed. */
function fileRule(field: Field): Record<string, Literal> {
  // The alternative text of a picture does not concern uploads.
  const file = elementOf(field);
  const { alt: _, private: isPrivate, ...rule } = kindOf(file).describe(file);
  return { ...rule, ...(isPrivate === true && { isPrivate }) };
}
