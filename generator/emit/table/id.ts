import { idForms, isUsualId, type RecordId } from "../../../runtime/values/schema/id-types.js";
import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import { type Literal, templateText } from "../../text/typescript.js";

/** The runtime's kinds of columns with ids. */
const kinds = { uuid: "id", integer: "integerId", string: "stringId" } as const;

/** The runtime's description of the column of the id. */
export function idLiteral({ column, type, given }: RecordId): Record<string, Literal> {
  return {
    name: sqlIdentifier(column),
    kind: kinds[type],
    required: true,
    ...(type !== "uuid" && { made: given ? "caller" : "database" }),
  };
}

/** `key`: the ids of a table whose changes are logged, for those that are no UUIDs in a column `id`. */
export function loggedKey(id: RecordId): Readonly<Record<string, Literal>> {
  if (isUsualId(id)) return {};
  return { key: { column: sqlIdentifier(id.column), type: idForms[id.type].sqlType } };
}

/** SQL that compares the id with `$1`, for a template literal; a number may not fit the type of its column. */
export function idMatch({ column, type }: RecordId, operator: "=" | "<>" = "="): string {
  return `${templateText(sqlIdentifier(column))} ${operator} ${idPlace({ type })}`;
}

/** The parameter of the id: of one type in the whole statement, whatever that of the column. */
export function idPlace({ type }: Pick<RecordId, "type">): string {
  return type === "integer" ? `$1::${idForms[type].sqlType}` : "$1";
}

/** SQL of the id as the column `id` of a result, for a template literal. */
export function shownId({ column, type }: RecordId): string {
  const name = templateText(sqlIdentifier(column));
  if (type !== "uuid") return `${name}::text as id`;
  return name === "id" ? name : `${name} as id`;
}
