import { didYouMean } from "../../../values/nearest.js";
import type { Rows } from "../../rights/view.js";
import { comparedColumn, idColumn, idOfTable, newestKey } from "../../table/column-keys.js";
import { type Column, columnOf } from "../../table/table.js";
import { notField, quoted } from "../../table/unknown-field.js";
import type { Reach } from "../reach.js";
import { type Related, relatedBy } from "./related.js";

/** A value of a field of the record or of a linked record. */
export interface Value {
  /** The name in the request: `status`, `customer.country`. */
  readonly key: string;
  readonly column: Column;
  /** SQL over the rows of the table and `LinkedValues.joins`. */
  readonly sql: string;
  /** Whether the value may be empty in some rows. */
  readonly canBeEmpty: boolean;
  /** SQL for the id of the linked record; null for the record's own fields. */
  readonly link: string | null;
  /** Whether every link that is set leads to a record that the caller may see. */
  readonly isWhole: boolean;
}

/** Values of a table's rows, and of records to which their links lead. */
export class LinkedValues {
  readonly #rows: Rows;
  readonly #reach: Reach;
  readonly #maxLinks: number;
  readonly #joins = new Map<string, Join | null>();

  /** `maxLinks`: the maximum number of links that lead to a value. */
  constructor(rows: Rows, reach: Reach, maxLinks: number) {
    this.#rows = rows;
    this.#reach = reach;
    this.#maxLinks = maxLinks;
  }

  /** The default sort key of lists: an index has that order. */
  get newest(): "createdAt" | "id" {
    return newestKey(this.#rows);
  }

  /** The id of the record itself, which every table has. */
  get id(): Value {
    const column = idOfTable(this.#rows);
    return { key: "id", column, sql: column.name, canBeEmpty: false, link: null, isWhole: true };
  }

  /** Finds the value with this name: a field, or links and a field separated by dots; null for anything else. */
  find(key: string): Value | null {
    const [field, links] = parsed(key);
    if (links.length > this.#maxLinks) return null;
    if (links.length === 0) {
      const column = comparedColumn(this.#rows, field);
      const own = { link: null, isWhole: true };
      return column && { key, column, sql: column.name, canBeEmpty: !column.required, ...own };
    }
    const join = this.#join(links);
    const column = join && comparedColumn(join.related.rows, field);
    if (join === null || column === null) return null;
    const { link, isWhole, isAlways } = join;
    const canBeEmpty = !(isAlways && column.required);
    return { key, column, sql: aliasOf(join, column), canBeEmpty, link, isWhole };
  }

  /** Returns why an unknown name is refused; null for a known name. */
  unknown(key: string): string | null {
    if (this.find(key) !== null) return null;
    const [field, links] = parsed(key);
    if (links.length > this.#maxLinks) {
      return `${quoted(key)} follows more than ${this.#maxLinks} ${this.#maxLinks === 1 ? "link" : "links"}`;
    }
    for (const [at, name] of links.entries()) {
      if (this.#join(links.slice(0, at + 1)) !== null) continue;
      const rows = this.#rowsAt(links.slice(0, at));
      const hint = didYouMean(name.slice(0, 100), Object.keys(rows?.links ?? {}));
      return `${quoted(name)} is not a link${hint === null ? "" : `: ${hint}`}`;
    }
    return notField(this.#rowsAt(links) ?? this.#rows, field);
  }

  /**
   * SQL after the table's name in `from`, for all values found. Values of records that the caller may not see are
   * empty. The columns of joined rows have unique names, because conditions use unqualified column names of the table.
   */
  get joins(): string {
    const joins = [...this.#joins.values()].flatMap((join) => join ?? []);
    return joins.map((join) => `\n        ${this.#joined(join)}`).join("");
  }

  #rowsAt(links: readonly string[]): Rows | null {
    return links.length === 0 ? this.#rows : (this.#join(links)?.related.rows ?? null);
  }

  #join(links: readonly string[]): Join | null {
    const path = links.join(".");
    const known = this.#joins.get(path);
    if (known !== undefined) return known;
    // Intermediate links are joined first.
    const rows = this.#rowsAt(links.slice(0, -1));
    const join = rows === null ? null : this.#newJoin(rows, links);
    this.#joins.set(path, join);
    return join;
  }

  #newJoin(rows: Rows, links: readonly string[]): Join | null {
    const [name = "", ...before] = links.toReversed();
    const found = Object.hasOwn(rows.links ?? {}, name) ? rows.links?.[name] : undefined;
    const column = found === undefined ? null : columnOf(rows, found.field);
    if (column?.entries !== undefined) return null;
    const related = column && relatedBy(rows, name, { reach: this.#reach, action: "list" });
    if (column === null || related === null) return null;
    const from = before.length === 0 ? null : this.#join(before.toReversed());
    const isSure = related.rows.own === undefined && column.dangling !== true;
    const isWhole = from?.isWhole !== false && isSure;
    return {
      at: this.#joins.size,
      related,
      link: from === null ? `${rows.name}.${column.name}` : aliasOf(from, column),
      isWhole,
      isAlways: from?.isAlways !== false && isWhole && column.required,
      columns: [],
    };
  }

  #joined({ at, related: { rows }, link, columns }: Join): string {
    const shown = columns.map((column, index) => `${column} as ${columnAlias(at, index)}`);
    const own =
      rows.own === undefined ? "" : ` where ${rows.own.row(rows.name, this.#reach.account)}`;
    const select = `select ${[`${idColumn(rows)} as _id_${at}`, ...shown].join(", ")} from ${rows.name}${own}`;
    return `left join (${select}) as _link_${at} on _id_${at} = ${link}`;
  }
}

/** A link whose records are joined with the rows. */
interface Join {
  readonly at: number;
  readonly related: Related;
  /** SQL for the id of the linked record. */
  readonly link: string;
  /** Whether every id leads to a record that the caller may see. */
  readonly isWhole: boolean;
  /** Whether each row has a linked record. */
  readonly isAlways: boolean;
  /** The requested columns, as SQL. */
  readonly columns: string[];
}

/** Splits a path into the field at its end and the links that lead to it. */
function parsed(key: string): readonly [string, readonly string[]] {
  const names = key.split(".");
  return [names.at(-1) ?? "", names.slice(0, -1)];
}

function aliasOf({ at, columns }: Join, { name }: Column): string {
  if (!columns.includes(name)) columns.push(name);
  return columnAlias(at, columns.indexOf(name));
}

function columnAlias(join: number, at: number): string {
  return `_value_${join}_${at}`;
}
