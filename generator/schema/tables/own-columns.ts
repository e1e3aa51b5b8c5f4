import { idForms, isUsualId, type RecordId } from "../../../runtime/values/schema/id-types.js";
import type { Column } from "../../../runtime/values/schema/schema.js";

/** A column that every table has. */
export function ownColumn(name: string, type: string, initial: string | null): Column {
  const ofField = { field: null, kind: null };
  return { name, ...ofField, type, required: true, default: initial, check: null, link: null };
}

/** Returns the id column. The app generates UUIDs; the database generates other ids, unless requests contain them. */
export function idColumn(id: RecordId): Column {
  const { sqlType } = idForms[id.type];
  if (isUsualId(id)) return ownColumn(id.column, sqlType, null);
  const isNumbered = id.type === "integer" && !id.given;
  const isMadeText = id.type === "string" && !id.given;
  const own = ownColumn(id.column, sqlType, isMadeText ? "gen_random_uuid()::text" : null);
  return { ...own, id: isNumbered ? "identity" : "key" };
}
