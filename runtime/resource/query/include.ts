import type { Issues } from "../../http/index.js";
import type { Rows } from "../rights/view.js";
import {
  allMembers,
  jsonOf,
  type Member,
  membersInside,
  readShownMembers,
  recordOf,
} from "../table/record-json.js";
import { readOrder } from "./order.js";
import type { Reach } from "./reach.js";
import { type Related, relatedBy, relatedRows } from "./related.js";

/** One name of `include` with its options, in plain values. */
export interface AskedInclude {
  readonly name: string;
  readonly fields?: readonly string[] | undefined;
  readonly sort?: readonly string[] | undefined;
  readonly perPage?: number | undefined;
}

/** Related records that are shown in a record, checked against the table. */
interface Include {
  /** The key under which the record has them. */
  readonly name: string;
  readonly related: Related;
  /** SQL over one of their rows: the record as it is shown, as `json`. */
  readonly record: string;
  /** For an inverse: the order of its records, and the most that are shown. */
  readonly page: { readonly order: string; readonly size: number } | null;
}

/** The most names of one `include`. */
const maxIncludes = 8;

/** The most records of one inverse in one record. */
export const includedRange = { min: 1, max: 100, default: 10 };

/** The most records of all inverses in one answer. */
const maxInverseRecords = 5_000;

/** The requested parts of each record. */
export interface AskedRecord {
  readonly fields?: readonly string[] | undefined;
  readonly include?: readonly AskedInclude[] | undefined;
}

/** How a record is shown. */
export interface ShownRecord {
  /** SQL over one row of the table; null for the whole record. */
  readonly sql: string | null;
  /** `many`: it reads many rows beside its own. `varied`: it comes in too many shapes to be prepared. */
  readonly form: "one" | "many" | "varied";
}

/** Reads what is shown of a record, what it includes behind its own members. */
export function readShown(
  table: Rows,
  { fields, include }: AskedRecord,
  reading: Omit<Owner, "rows">,
): ShownRecord {
  const part = readShownMembers(table, fields, reading.issues);
  const includes = readIncludes(include, { ...reading, rows: table });
  const isWhole = part === null && includes.length === 0;
  const members = [
    ...(part ?? allMembers(table)),
    ...includes.map((one) => included(one, reading.reach)),
  ];
  const sql = isWhole ? null : recordOf(members);
  const [asked, ...others] = include ?? [];
  // One link or inverse of each table with its defaults: there are only as many as fields.
  const isVaried = part !== null || others.length > 0 || hasOptions(asked);
  const isMany = includes.some(({ page }) => page !== null);
  return { sql, form: isVaried ? "varied" : isMany ? "many" : "one" };
}

function hasOptions(asked: AskedInclude | undefined): boolean {
  const { fields, sort, perPage } = asked ?? {};
  return [fields, sort, perPage].some((option) => option !== undefined);
}

/** The table whose records are read, and how many of them one answer has. */
interface Owner {
  readonly rows: Rows;
  readonly perPage: number;
  readonly reach: Reach;
  readonly issues: Issues;
}

/** Reads what `include` names, each once; what it reaches is added to `reach`. */
function readIncludes(
  asked: readonly AskedInclude[] | undefined,
  owner: Owner,
): readonly Include[] {
  if (asked === undefined) return [];
  const { issues, perPage } = owner;
  if (asked.length === 0) issues.reject("include", "Must name what to include");
  if (asked.length > maxIncludes) {
    issues.reject("include", `At most ${maxIncludes} names`);
    return [];
  }
  const includes = asked.flatMap((one) => readInclude(one, owner) ?? []);
  const inRecord = includes.reduce((sum, { page }) => sum + (page?.size ?? 0), 0);
  if (inRecord * perPage > maxInverseRecords) {
    const message = `Could bring ${inRecord * perPage} records, and ${maxInverseRecords} are the most: ask for smaller pages`;
    issues.reject("include", message);
  }
  return includes;
}

function readInclude(
  { name, fields, sort, perPage }: AskedInclude,
  { rows, reach, issues }: Owner,
): Include | null {
  const related = relatedBy(rows, name, reach, "get");
  if (related === null) {
    issues.reject("include", `"${name}" is neither a link nor an inverse`);
    return null;
  }
  const optionOf = (option: string) => `include[${name}][${option}]`;
  const members = readShownMembers(related.rows, fields, issues, optionOf("fields"));
  const record = jsonOf(members ?? membersInside(related.rows));
  if (!related.isInverse) {
    if (sort !== undefined) issues.reject(optionOf("sort"), forInverses);
    if (perPage !== undefined) issues.reject(optionOf("perPage"), forInverses);
    return { name, related, record, page: null };
  }
  const order = readOrder(related.rows, sort ?? oldestFirst, issues, optionOf("sort"));
  const page = { order: order.forward, size: perPage ?? includedRange.default };
  return { name, related, record, page };
}

const oldestFirst = ["createdAt"];
const forInverses = "Is for the other direction of a link";

/**
 * The related records as a member of a row's record. The row's own column has a name of its own first: the
 * related table may be the same one.
 */
function included({ name, related, record, page }: Include, { account }: Reach): Member {
  const own = `(select ${related.near} as _near) as _own`;
  const rows = relatedRows({ ...related, near: "_near" }, { near: "_own", as: null, account });
  if (page === null) return { key: name, value: `(select ${record} from ${own}, ${rows})` };
  const { order, size } = page;
  const some = `select ${record} as _json from ${rows} order by ${order} limit ${size + 1}`;
  const value = `(
    select row_to_json(_page)
    from (
      select coalesce(array_to_json((array_agg(_json))[:${size}]), '[]') as data, count(*) > ${size} as more
      from ${own}, lateral (${some}) as _some
    ) as _page
  )`;
  return { key: name, value };
}
