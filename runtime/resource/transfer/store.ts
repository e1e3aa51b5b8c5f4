import { sqlState } from "../../db/index.js";
import { type BodyIssue, Refusal } from "../../errors/index.js";
import type { Actor } from "../../own-code/index.js";
import { cellWords } from "../../values/files/cell-words.js";
import { type ByRule, idBy, requireBy } from "../batch/upsert.js";
import type { Reader } from "../record/read.js";
import { isValid, refuseBody } from "../table/body.js";
import type { ResourceDefinition } from "../table/definition.js";
import type { Write } from "../write/operation.js";
import { runWrite } from "../write/run.js";
import { separately } from "../write/ways.js";
import { differingValues } from "./compare.js";
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

/** Stores rows one after the other: see `rowStore`. */
export interface KeyedStore {
  /** The id of the record that has the row's values in the fields of the rule; null where there is none. */
  find(row: FileRow, rule: ByRule): Promise<string | null>;
  create(row: FileRow): Promise<"created">;
  /** Creates a record, which nothing but its id can be found to be taken for, as the row is found by a rule. */
  add(row: FileRow): Promise<"created">;
  change(row: FileRow, id: string): Promise<"updated">;
  /** Changes what differs. */
  settle(row: FileRow, id: string): Promise<"updated" | "unchanged">;
}

/**
 * Stores rows in the actor's transaction, each in a savepoint, as a POST or a PATCH of the app itself: rules of fields do
 * not apply, hooks run. What is wrong with a row is thrown: see `rowIssuesOf`.
 */
export function keyedStore(
  actor: Actor,
  connection: Pick<Reader, "query">,
  definition: ResourceDefinition,
): KeyedStore {
  const { table } = definition;
  const run = (write: Write) => runWrite(actor, () => write, separately);

  async function isThere(id: string): Promise<boolean> {
    const rows = await connection.query(`select id from ${table.name} where id = $1`, [id]);
    return rows.length > 0;
  }

  async function add(row: FileRow): Promise<"created"> {
    await run(createOfRow(definition, row));
    return "created";
  }

  return {
    add,
    async find(row, rule) {
      const { checked } = changeOfRow(definition, row, "");
      const isById = rule.some(({ key }) => key === "id");
      const create = isById ? createOfRow(definition, row) : null;
      const id = create?.given?.hasId === true ? create.id : null;
      const given = isById ? { ...checked, values: { ...checked.values, id } } : checked;
      const sent = requireBy(given, rule);
      const isOfRule = (path: string) => rule.some(({ key }) => path === key);
      if (sent.malformed.some(({ path }) => isOfRule(path))) return refuseBody(sent, []);
      return idBy(connection, table, rule, sent.values);
    },
    async create(row) {
      const made = createOfRow(definition, row);
      const isTaken = made.given?.hasId === true && (await isThere(made.id));
      const { checked } = made;
      const malformed = isTaken ? [idTaken, ...checked.malformed] : checked.malformed;
      await run({ ...made, checked: { ...checked, malformed } });
      return "created";
    },
    async change(row, id) {
      await run(changeOfRow(definition, row, id));
      return "updated";
    },
    async settle(row, id) {
      const change = changeOfRow(definition, row, id);
      const { checked } = change;
      const values = isValid(checked)
        ? await differingValues(connection, table, id, { ...checked.values })
        : checked.values;
      if (isValid(checked) && Object.keys(values).length === 0) return "unchanged";
      await run({ ...change, checked: { ...checked, values } });
      return "updated";
    },
  };
}

/** Stores the rows of a plan one after the other: see `keyedStore`. */
export function rowStore(
  actor: Actor,
  connection: Pick<Reader, "query">,
  { definition, by, links }: RowsPlan,
): (row: FileRow) => Promise<RowOutcome> {
  const find = targetFinder(connection);
  const store = keyedStore(actor, connection, definition);
  return async (row) => {
    try {
      const [ready = row] = await withTargets(find, links, [row]);
      if (by === null) return await store.create(ready);
      const id = await store.find(ready, by);
      return id === null ? await store.add(ready) : await store.change(ready, id);
    } catch (error) {
      return rowIssuesOf(error);
    }
  };
}

const idTaken: BodyIssue = { path: "id", message: cellWords.taken };

/** What is wrong with a row, by the error that refused it; an error that is no fault of the row is thrown again. */
export function rowIssuesOf(error: unknown): readonly RowIssue[] {
  const issues = issuesOf(error);
  if (issues === null) throw error;
  return issues;
}

/** Null for an error that is no fault of the row. */
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
