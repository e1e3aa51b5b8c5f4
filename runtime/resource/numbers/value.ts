import type { Reach } from "../query/reach.js";
import { type Related, relatedBy } from "../query/related.js";
import type { View } from "../rights/view.js";
import { type Column, columnOf } from "../table/table.js";
import { notField, quoted } from "../table/unknown-field.js";
import type { Period } from "./period.js";

/** A value of a record that others may share: of a field of its own, or of the record that a link leads to. */
export interface Value {
  /** As it was asked for: `status`, `customer.country`. */
  readonly key: string;
  readonly column: Column;
  /** SQL over the rows of `Values.from`. */
  readonly sql: string;
  readonly isOwn: boolean;
}

/** What a group is formed by: a value that its records share. */
export interface Group extends Value {
  /** The part of a time or date; null groups by the value itself. */
  readonly unit: Period | null;
}

/** The rows of a table, each beside the values of the records that its links lead to. */
export class Values {
  readonly #view: View;
  readonly #reach: Reach;
  readonly #joins = new Map<string, Join | null>();

  constructor(view: View, reach: Reach) {
    this.#view = view;
    this.#reach = reach;
  }

  /** The value of that name: a field, or a link and a field behind a dot; null for anything else. */
  find(key: string): Value | null {
    const [name = "", field, ...more] = key.split(".");
    if (more.length > 0) return null;
    if (field === undefined) {
      const column = columnOf(this.#view, name);
      return column && { key, column, sql: column.name, isOwn: true };
    }
    const join = this.#join(name);
    const column = join && columnOf(join.related.rows, field);
    if (join === null || column === null) return null;
    join.columns.add(column.name);
    const sql = columnAlias(join.at, [...join.columns].indexOf(column.name));
    return { key, column, sql, isOwn: false };
  }

  /** Why a name is refused that is none of these fields. */
  problemOf(written: string, fields: string): string {
    const [key = ""] = written.split(":");
    if (this.find(key) !== null) return `Must name ${fields}, which ${quoted(written)} is not`;
    const [name = "", field] = key.split(".");
    if (field === undefined) return notField(this.#view, key);
    const rows = this.#join(name)?.related.rows;
    return rows === undefined ? `${quoted(name)} is not a link` : notField(rows, field);
  }

  /**
   * SQL after `from`, for everything that was found. Where the caller may not see what a link leads to, its values are
   * empty. The columns of joined rows have names that no other has, as conditions name the table's alone.
   */
  get from(): string {
    const joins = [...this.#joins.values()].flatMap((join) => join ?? []);
    return [this.#view.name, ...joins.map((join) => this.#joined(join))].join("\n        ");
  }

  #join(name: string): Join | null {
    const known = this.#joins.get(name);
    if (known !== undefined) return known;
    const isLink = Object.hasOwn(this.#view.links ?? {}, name);
    const related = isLink ? relatedBy(this.#view, name, this.#reach, "list") : null;
    const join = related && { at: this.#joins.size, related, columns: new Set<string>() };
    this.#joins.set(name, join);
    return join;
  }

  #joined({ at, related, columns }: Join): string {
    const { near, rows } = related;
    const shown = [...columns].map((column, index) => `${column} as ${columnAlias(at, index)}`);
    const own =
      rows.own === undefined ? "" : ` where ${rows.own.row(rows.name, this.#reach.account)}`;
    const select = `select ${[`id as _id_${at}`, ...shown].join(", ")} from ${rows.name}${own}`;
    return `left join (${select}) as _link_${at} on _id_${at} = ${this.#view.name}.${near}`;
  }
}

/** A link whose records are joined with the rows. */
interface Join {
  readonly at: number;
  readonly related: Related;
  /** The columns that are asked for, as SQL. */
  readonly columns: Set<string>;
}

function columnAlias(join: number, at: number): string {
  return `_value_${join}_${at}`;
}
