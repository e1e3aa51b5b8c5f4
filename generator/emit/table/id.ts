import { idForms, isUsualId, type RecordId } from "../../../runtime/values/schema/id-types.js";
import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import { type Literal, templateText } from "../../text/typescript.js";

/** The runtime's kinds of id columns. */
const kinds = { uuid: "id", integer: "integerId", string: "stringId" } as const;

/** Returns the runtime's description of the id column. */
export function idLiteral({ column, type, given }: RecordId): Record<string, Literal> {
  return {
    name: sqlIdentifier(column),
    kind: kinds[type],
    required: true,
    ...(type !== "uuid" && { made: given ? "caller" : "database" }),
  };
}

/** Returns `key`, which describes the ids of a table whose changes are logged; omitted for UUIDs in a column `id`. */
export function loggedKey(id: RecordId): Readonly<Record<string, Literal>> {
  if (isUsualId(id)) return {};
  return { key: { column: sqlIdentifier(id.column), type: idForms[id.type].sqlType } };
}

/**
 * Returns SQL that compares the id with `$1`, for a template literal. A number may be out of range for the column's
 * type.
 */
export function idMatch({ column, type }: RecordId, operator: "=" | "<>" = "="): string {
  return `${templateText(sqlIdentifier(column))} ${operator} ${idPlace({ type })}`;
}

/** Returns the parameter of the id, which has the same type in the whole statement, whatever the column's type. */
export function idPlace({ type }: Pick<RecordId, "type">): string {
  return type === "integer" ? `$1::${idForms[type].sqlType}` : "$1";
}

/** Returns SQL that selects the id as the result column `id`, for a template literal. */
export function shownId({ column, type }: RecordId): string {
  const name = templateText(sqlIdentifier(column));
  if (type !== "uuid") return `${name}::text as id`;
  return name === "id" ? name : `${name} as id`;
}
