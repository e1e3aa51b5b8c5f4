import type { Actor } from "../../own-code/index.js";
import { hasPolicy } from "../own-code/policy.js";
import { appRecord } from "../record/app-record.js";
import { type Place, wholeRecord } from "../record/read.js";
import { isShownByPolicy } from "../record/shown-by-policy.js";
import type { StoredRecord } from "../record/tag.js";
import { idAlone } from "../rights/writable.js";
import { isVisitor } from "./make.js";
import type { Create, InsertedRow, Write } from "./operation.js";

/**
 * Whether the `get` policy decides if the response to a create has the record: an anonymous caller sees it only if that
 * policy allows it.
 */
export function isAnsweredByPolicy(actor: Actor, { kind, table }: Write): boolean {
  return kind === "create" && isVisitor(actor) && hasPolicy(actor, table, "get");
}

/** The new record for the response; only its id if the caller is anonymous and may not get the record. */
export async function answeredRecord(
  { actor, reader }: Place,
  write: Create,
  { id, ...record }: InsertedRow,
): Promise<StoredRecord> {
  const alone = idAlone(id);
  if (record.json === alone || !isAnsweredByPolicy(actor, write)) return record;
  const { table, view } = write;
  const whole = appRecord(actor.services, await wholeRecord(reader, { view, id }, record.json));
  const isShown = await isShownByPolicy(actor, table, whole);
  return isShown ? record : { ...record, json: alone };
}
