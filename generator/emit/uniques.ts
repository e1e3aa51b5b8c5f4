import { indexName } from "../../runtime/values/schema/object-names.js";
import { isFolded, type Key } from "../../runtime/values/schema/schema.js";
import { sqlTable } from "../../runtime/values/sql/table-name.js";
import { sqlIdentifier } from "../../runtime/values/sql/text.js";
import type { Field } from "../kind/kinds.js";
import { columnSql, momentSql, zoneOf } from "../model/column-sql.js";
import { isAnyCase, isComputed, isUnique, type Resource } from "../model/model.js";
import { writtenColumns } from "../model/needed.js";
import {
  computedIndex,
  uniqueIndex,
  uniqueIndexes,
  uniqueTogether,
} from "../schema/tables/build.js";
import type { Layout } from "../text/layout.js";
import {
  array,
  arrow,
  literal,
  object,
  place,
  property,
  stringLiteral,
  tallArray,
  tallObject,
  templateText,
} from "../text/typescript.js";

/**
 * Returns, for each unique index, a condition that its values are unused. The values begin at `$2`, in the order of the
 * fields.
 */
export function freeConditions(resource: Resource, unless: string): string[] {
  const table = templateText(sqlTable(resource.table));
  const written = writtenColumns(resource);
  return uniqueIndexes(resource).map(({ keys }) => {
    const matches = keys.map((key) => {
      const at = written.findIndex(({ column }) => column === key.column);
      return keyMatch(resource, key, `$${at + 2}`);
    });
    return `not exists (select from ${table} where ${matches.join(" and ")}${unless})`;
  });
}

/** Returns SQL that is true for a row with the value, using the expression of the unique index. */
function keyMatch({ fields }: Fields, { column, order }: Key, value: string): string {
  const field = fields.find((one) => one.column === column);
  const timezone = field === undefined ? null : zoneOf(field);
  const name = templateText(momentSql(sqlIdentifier(column), timezone));
  const [one, other] = isFolded({ order })
    ? [`service.fold_case(${name})`, `service.fold_case(${value})`]
    : [name, value];
  const equal = `${one} = ${other}`;
  return order.endsWith("digest") ? `md5(${one}) = md5(${other}) and ${equal}` : equal;
}

type Fields = Pick<Resource, "fields">;

/** The rule of a field that is unique on its own. */
export function uniqueRule({ table, fields }: Resource, field: Field): Layout[] {
  if (!isUnique(field)) return [];
  const index = isComputed(field) ? computedIndex(field, fields) : uniqueIndex(field);
  const name = property("index", stringLiteral(indexName(table, index)));
  const match = isComputed(field)
    ? arrow("parameter", `\`${computedMatch(field, fields)}\``)
    : matchFunction({ fields }, index.keys);
  const anyCase = isAnyCase(field) ? [property("anyCase", literal(true))] : [];
  return [property("unique", object([name, ...anyCase, property("match", match)]))];
}

function computedMatch(field: Field, fields: readonly Field[]): string {
  const value = templateText(columnSql(field, fields));
  return isAnyCase(field)
    ? `service.fold_case(${value}) = service.fold_case(${valuePlace})`
    : `${value} = ${valuePlace}`;
}

/** Returns a function that returns SQL, which is true for a row with the value. */
function matchFunction(resource: Fields, keys: readonly Key[]): Layout {
  const matches = keys.map((key) => keyMatch(resource, key, valuePlace));
  return arrow("parameter", `\`${matches.join(" and ")}\``);
}

/** The value's placeholder in the template of such a function. */
export const valuePlace = place("parameter");

/** The fields that are unique in combination; empty if there are none. */
export function uniquesLiteral({ table, fields, uniques }: Resource): Layout[] {
  if (uniques.length === 0) return [];
  const rules = uniques.map((names) => {
    const index = uniqueTogether(fields, names);
    const matches = index.keys.map((key, at) =>
      property(names[at] ?? "", matchFunction({ fields }, [key])),
    );
    return tallObject([
      property("index", stringLiteral(indexName(table, index))),
      property("matches", object(matches)),
    ]);
  });
  return [rules.length > 1 ? tallArray(rules) : array(rules)];
}
