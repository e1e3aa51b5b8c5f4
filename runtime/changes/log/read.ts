import type { Queryable } from "../../db/index.js";

/** A change of a record, or of all of a resource (`truncate`, which has no id). */
export interface LoggedChange {
  /** Its number. Numbers have no gaps; those of one record are in the order of its changes. */
  readonly n: number;
  readonly at: Date;
  readonly resource: string;
  readonly op: "create" | "update" | "delete" | "truncate";
  readonly id: string | null;
  /** Who wrote it; null where nobody is known. */
  readonly account: string | null;
}

/** The state of the log. */
export interface LogState {
  /** Its id; a restore gives it a new one. */
  readonly log: string;
  /** The number of the last change. */
  readonly n: number;
  /** No change after this number was deleted. Before it there are only those that histories keep. */
  readonly keptAfter: number;
}

export async function readState(db: Queryable): Promise<LogState> {
  const [state] = await db.query<LogState>(
    `select log::text as log, n::float8 as n, kept_after::float8 as "keptAfter"
     from service.change_counter`,
  );
  if (state === undefined) throw new Error("service.change_counter has no row");
  return state;
}

/** Which changes of the log are read. */
export interface LogRange {
  /** The number before the first. */
  readonly after: number;
  /** The last number at most. */
  readonly upTo: number;
  readonly resources: readonly string[];
  readonly most: number;
}

/** The changes of some resources in a range of the log, in order; at most `most` of them. */
export function readChanges(db: Queryable, range: LogRange): Promise<readonly LoggedChange[]> {
  const { after, upTo, resources, most } = range;
  return db.query<LoggedChange>(
    `select n::float8 as n, at, resource, op, id, account
     from service.changes
     where n > $1 and n <= $2 and resource = any($3::text[])
     order by n
     limit $4`,
    [after, upTo, resources, most],
  );
}
