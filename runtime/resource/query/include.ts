import type { Issues } from "../../http/index.js";
import { onceFor } from "../rights/once-for.js";
import type { Rows } from "../rights/view.js";
import { newestKey } from "../table/column-keys.js";
import { allMembers, membersInside, readShownMembers, recordOf } from "../table/record-json.js";
import {
  type IncludeParameters,
  includedRange,
  maxInverseRecords,
  maxPathLinks,
  maxPaths,
} from "./include-parameters.js";
import { type Include, includedMember } from "./included.js";
import { listOrder, type Related, relatedBy } from "./links/related.js";
import { readOrder } from "./order.js";
import type { Predicate } from "./predicate.js";
import type { Reach } from "./reach.js";
import { InvalidWhere, readNarrowWhere } from "./where.js";

/** The requested parts of each record. */
export interface RecordParameters {
  readonly fields?: readonly string[] | undefined;
  readonly include?: readonly IncludeParameters[] | undefined;
}

export interface ShownRecord {
  /** SQL over one row of the table; null for the whole record. */
  readonly sql: string | null;
  /** `many`: the query reads many other rows. `varied`: it has too many shapes to be prepared. */
  readonly form: "one" | "many" | "varied";
}

/** The issues of a query, and the maximum number of records in its response. */
export interface Reading {
  readonly perPage: number;
  readonly reach: Reach;
  readonly issues: Issues;
}

// Most queries return all members, and generating their SQL takes as long as reading the rest of the parameters.
const membersOf = onceFor((rows: Rows) => allMembers(rows));
const membersInsideOf = onceFor((rows: Rows) => membersInside(rows));

/** Reads the requested parts of a record: its own members, followed by its includes. */
export function readShown(
  table: Rows,
  { fields, include }: RecordParameters,
  reading: Reading,
): ShownRecord {
  const reject = (message: string) => reading.issues.reject("fields", message);
  const part = readShownMembers(table, fields, reject);
  const includes = readIncludes(table, include, reading);
  const isWhole = part === null && includes.length === 0;
  const included = includes.map((include) => includedMember(include, reading.reach));
  const sql = isWhole ? null : recordOf([...(part ?? membersOf(table)), ...included]);
  const [requested, ...others] = include ?? [];
  const isVaried = part !== null || others.length > 0 || !isPlain(requested);
  const isMany = includes.some(({ page }) => page !== null);
  return { sql, form: isVaried ? "varied" : isMany ? "many" : "one" };
}

/** Whether the include is a single path without options: each table has only a few such paths. */
function isPlain({ name: _, include = [], ...options }: IncludeParameters = { name: "" }): boolean {
  const hasOptions = Object.values(options).some((option) => option !== undefined);
  return !hasOptions && include.length <= 1 && include.every(isPlain);
}

/** Reads the names in `include` without duplicates, and adds the resources to `reach`. */
export function readIncludes(
  rows: Rows,
  requested: readonly IncludeParameters[] | undefined,
  reading: Reading,
): readonly Include[] {
  if (requested === undefined) return [];
  const { issues, perPage } = reading;
  if (requested.length === 0) issues.reject("include", "Must name what to include");
  if (countPaths(requested) > maxPaths) {
    issues.reject("include", `At most ${maxPaths} names, including the intermediate ones of paths`);
    return [];
  }
  const includes = requested.flatMap(
    (one) => readInclude(one, { ...reading, rows, path: [] }) ?? [],
  );
  const most = recordsIn(includes, perPage);
  if (most > maxInverseRecords) {
    const message = `May return ${most} records; the maximum is ${maxInverseRecords}: request smaller pages`;
    issues.reject("include", message);
  }
  return includes;
}

function countPaths(requested: readonly IncludeParameters[]): number {
  return requested.reduce((sum, { include = [] }) => sum + 1 + countPaths(include), 0);
}

/** The maximum number of inverse records for the given number of records: they multiply along a path. */
function recordsIn(includes: readonly Include[], records: number): number {
  return includes.reduce((sum, { page, inside }) => {
    const own = page === null ? 0 : records * page.size;
    return sum + own + recordsIn(inside, page === null ? records : own);
  }, 0);
}

/** The table whose records are read, and the names that lead to it. */
interface Place extends Reading {
  readonly rows: Rows;
  readonly path: readonly string[];
}

function readInclude(requested: IncludeParameters, place: Place): Include | null {
  const { rows, reach, issues } = place;
  const path = [...place.path, requested.name];
  if (path.length > maxPathLinks) {
    const message = `"${path.slice(0, maxPathLinks).join(".")}" has ${maxPathLinks} links, and nothing further can be included`;
    issues.reject("include", message);
    return null;
  }
  const related = relatedBy(rows, requested.name, { reach, action: "get" });
  if (related === null) {
    issues.reject("include", `"${path.join(".")}" is neither a link nor an inverse`);
    return null;
  }
  const option = (name: string) => `include[${path.join(".")}][${name}]`;
  const reject = (message: string) => issues.reject(option("fields"), message);
  const own = readShownMembers(related.rows, requested.fields, reject);
  const inner = { ...place, rows: related.rows, path };
  const inside = (requested.include ?? []).flatMap((one) => readInclude(one, inner) ?? []);
  const members = own ?? membersInsideOf(related.rows);
  const page = readPage(requested, related, { ...place, option });
  return { name: requested.name, related, members, inside, page };
}

/** Reads which records of an inverse to return; a link has no such options. */
function readPage(
  { sort, perPage, where, count }: IncludeParameters,
  { rows, isInverse, through }: Related,
  { issues, reach, option }: Reading & { readonly option: (name: string) => string },
): Include["page"] {
  if (!isInverse) {
    for (const [name, value] of Object.entries({ sort, perPage, where, count })) {
      if (value !== undefined) issues.reject(option(name), "Is for inverses only");
    }
    return null;
  }
  const isListed = sort === undefined && through?.isList === true;
  const keys = sort ?? (isListed ? ["id"] : [newestKey(rows)]);
  const order = readOrder(rows, keys, { issues, reach, param: option("sort") });
  return {
    order: isListed ? { ...order, joins: "", forward: listOrder } : order,
    size: perPage ?? includedRange.default,
    isCounted: count ?? false,
    where: where === undefined ? null : readPredicate(),
  };

  function readPredicate(): Predicate | null {
    try {
      return readNarrowWhere(rows, where, reach);
    } catch (error) {
      if (!(error instanceof InvalidWhere)) throw error;
      issues.reject(option("where"), error.message);
      return null;
    }
  }
}
