import { jsonOf, type Member } from "../table/record-json.js";
import { type Related, relatedRows } from "./links/related.js";
import type { Order } from "./order.js";
import { type Predicate, predicateSql } from "./predicate.js";
import type { Reach } from "./reach.js";

/** Related records returned within a record, checked against the table. */
export interface Include {
  /** The key of the included records. */
  readonly name: string;
  readonly related: Related;
  /** The members to return of each record, followed by its includes. */
  readonly members: readonly Member[];
  readonly inside: readonly Include[];
  /** Which records of an inverse to return. */
  readonly page: InversePage | null;
}

interface InversePage {
  readonly order: Order;
  /** The maximum number of returned records; 0 returns only the count. */
  readonly size: number;
  /** Whether the total is returned as well. */
  readonly isCounted: boolean;
  /** The condition on the records; null for all. */
  readonly where: Predicate | null;
}

/**
 * The related records as a member of a row's record; compared values are added to the statement. The row's own column
 * is renamed first, because the related table may be the same one.
 */
export function includedMember(include: Include, reach: Reach): Member {
  const { name, related, page } = include;
  const own = `(select ${related.near} as _near) as _own`;
  const near = { near: "_own", as: null, account: reach.account };
  const rowsBeside = (joins: string) =>
    relatedRows({ ...related, near: "_near" }, { ...near, joins });
  const rows = rowsBeside("");
  if (page === null) {
    return { key: name, value: `(select ${recordIn(include, reach)} from ${own}, ${rows})` };
  }
  const { order, size, isCounted, where } = page;
  const meant = where === null ? "" : ` and ${predicateSql(where, reach, related.rows.name)}`;
  const count = `(select count(*) from ${rows}${meant}) as count`;
  if (size === 0) return { key: name, value: pageOf(`select ${count} from ${own}`) };
  const record = recordIn(include, reach);
  const from = rowsBeside(order.joins) + meant;
  const some = `select ${record} as _json from ${from} order by ${order.forward} limit ${size + 1}`;
  const shown = `coalesce(array_to_json((array_agg(_json))[:${size}]), '[]') as data, count(*) > ${size} as more`;
  const all = `select ${shown} from ${own}, lateral (${some}) as _some`;
  if (!isCounted) return { key: name, value: pageOf(all) };
  return { key: name, value: pageOf(`select _shown.*, ${count} from ${own}, (${all}) as _shown`) };
}

/** SQL over a row of the related table: its record as JSON. */
function recordIn({ members, inside }: Include, reach: Reach): string {
  return jsonOf([...members, ...inside.map((include) => includedMember(include, reach))]);
}

function pageOf(select: string): string {
  return `(
    select row_to_json(_page)
    from (
      ${select}
    ) as _page
  )`;
}
