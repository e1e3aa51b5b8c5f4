import type { Queryable } from "../../db/index.js";
import type { Sending } from "./sent.js";

/** A row has the storage key of a file that belongs to another field. */
export class OtherFile extends Error {}

/**
 * Refuses the rows of `from` if one has a file of another field: no constraint checks which field an upload belongs to.
 *
 * @throws {OtherFile}
 */
export async function refuseOtherFiles(
  { query }: Queryable,
  { lookups }: Pick<Sending, "lookups">,
  { from, parameters }: { readonly from: string; readonly parameters: readonly unknown[] },
): Promise<void> {
  const others = lookups.flatMap(({ sql, isFile }) => (isFile === true ? [sql] : []));
  if (others.length === 0) return;
  const found = await query(`select from ${from} where ${others.join(" or ")} limit 1`, parameters);
  if (found.length > 0) throw new OtherFile();
}
