import { sqlState } from "../../db/index.js";
import { type BodyIssue, Refusal } from "../../errors/index.js";
import type { Actor } from "../../own-code/index.js";
import { type ByRule, idBy, requireBy } from "../batch/upsert.js";
import type { Reader } from "../record/read.js";
import { isValid, refuseBody } from "../table/body.js";
import type { ResourceDefinition } from "../table/definition.js";
import type { Write } from "../write/operation.js";
import { runWrite } from "../write/run.js";
import { separately } from "../write/ways.js";
import { type NamedLink, targetFinder, withTargets } from "./key.js";
import { changeOfRow, createOfRow, type FileRow } from "./row.js";

/** How rows are stored. */
export interface RowsPlan {
  readonly definition: ResourceDefinition;
  /** By what a row's record is found; null where every row is a new one. */
  readonly by: ByRule | null;
  readonly links: readonly NamedLink[];
}

/** What became of a row: its record was created or changed, or this is wrong with it. */
export type RowOutcome = "created" | "updated" | readonly RowIssue[];

/** A mistake in a row; `path` is null for the whole of it. */
export interface RowIssue {
  readonly path: string | null;
  readonly message: string;
}

/**
 * Stores rows one after the other in the actor's transaction, each in a savepoint, as a POST or a PATCH of the app itself:
 * rules of fields do not apply, hooks run.
 */
export function rowStore(
  actor: Actor,
  connection: Pick<Reader, "query">,
  { definition, by, links }: RowsPlan,
): (row: FileRow) => Promise<RowOutcome> {
  const { table } = definition;
  const find = targetFinder(connection);
  const run = (write: Write) => runWrite(actor, () => write, separately);

  async function create(row: FileRow): Promise<"created"> {
    const made = createOfRow(definition, row);
    const isTaken = made.given?.hasId === true && (await isThere(made.id));
    const { checked } = made;
    const malformed = isTaken ? [idTaken, ...checked.malformed] : checked.malformed;
    await run({ ...made, checked: { ...checked, malformed } });
    return "created";
  }

  async function isThere(id: string): Promise<boolean> {
    const rows = await connection.query(`select id from ${table.name} where id = $1`, [id]);
    return rows.length > 0;
  }

  async function storeBy(row: FileRow, rule: ByRule): Promise<"created" | "updated"> {
    const { checked, ...change } = changeOfRow(definition, row, "");
    const create = createOfRow(definition, row);
    const isById = rule.some(({ key }) => key === "id");
    const given = isById
      ? { ...checked, values: { ...checked.values, id: create.given?.hasId ? create.id : null } }
      : checked;
    const sent = requireBy(given, rule);
    if (!isValid(sent) && rule.some(({ key }) => sent.malformed.some(({ path }) => path === key))) {
      return refuseBody(sent, []);
    }
    const id = await idBy(connection, table, rule, sent.values);
    if (id === null) {
      await run(create);
      return "created";
    }
    await run({ ...change, checked, id });
    return "updated";
  }

  return async (row) => {
    try {
      const [ready = row] = await withTargets(find, links, [row]);
      return by === null ? await create(ready) : await storeBy(ready, by);
    } catch (error) {
      const issues = issuesOf(error);
      if (issues === null) throw error;
      return issues;
    }
  };
}

const idTaken: BodyIssue = { path: "id", message: "Another record has this value" };

/** What is wrong with a row, by the error that refused it; null for an error that is no fault of the row. */
function issuesOf(error: unknown): readonly RowIssue[] | null {
  if (error instanceof Refusal) {
    if (error.status >= 500) return null;
    const { issues = [], field } = error;
    const named = issues.flatMap((issue) => ("path" in issue ? [issue] : []));
    if (named.length === 0) return [{ path: field ?? null, message: error.message }];
    return named.map(({ path, message }) => ({ path: path === "" ? null : path, message }));
  }
  // A constraint or trigger of the app's own.
  const isRefused = error instanceof Error && /^(22|23|P0)/.test(sqlState(error) ?? "");
  return isRefused ? [{ path: null, message: error.message }] : null;
}
