import type { FilterParameter, Parameters } from "../../http/index.js";
import { maxJsonLevels, parseJson } from "../../values/json.js";
import { likePattern, maxSearchLength } from "../../values/operators.js";
import { noteInexact } from "../../values/stored-json/inexact.js";
import { foldText, nfc } from "../../values/text.js";
import type { View } from "../rights/view.js";
import { kindOf } from "../table/kinds/kinds.js";
import type { Column } from "../table/table.js";
import { type Condition, conditionOf, indexOf, noRecord, type Reading } from "./condition.js";
import { readFilter } from "./filter.js";
import { InvalidWhere, readWhere } from "./where.js";
import { searchCondition } from "./words/search.js";

/** The parameters that filter a query, as plain values. */
export interface ConditionParameters {
  readonly filters: readonly FilterParameter[];
  /** A JSON value. */
  readonly where?: unknown;
  readonly q?: string | undefined;
  readonly search?: string | undefined;
}

/** Removes `filter[…]`, `where`, `q` and `search` from the parameters and returns them. */
export function takeConditions(parameters: Parameters): ConditionParameters {
  const filters = parameters.takeFilters();
  const where = takeWhere(parameters, "where");
  return { filters, where, q: parameters.take("q"), search: parameters.take("search") };
}

/** Removes a JSON condition from the parameters and returns it; undefined if it is missing or malformed. */
export function takeWhere(parameters: Parameters, name: string): unknown {
  const written = parameters.take(name);
  if (written === undefined) return undefined;
  const parsed = parseJson(written);
  if (parsed.kind === "value") {
    noteInexact(parsed.value, written);
    return parsed.value;
  }
  const problem =
    parsed.kind === "deep" ? `is nested more than ${maxJsonLevels} levels deep` : "must be JSON";
  parameters.reject(name, `where ${problem}`);
  return undefined;
}

/** Checks the conditions against the table. Adds the compared values and the other resources to `reach`. */
export function readConditions(
  view: View,
  { filters, where, q = "", search }: ConditionParameters,
  reading: Reading,
): readonly Condition[] {
  return [
    ...seenRecords(view, reading),
    ...filters.flatMap((filter) => readFilter(view, filter, reading)),
    ...(where === undefined ? [] : readWhereCondition(view, where, reading)),
    ...(q === "" ? [] : readTexts(view, q, reading)),
    ...searchCondition(view, search, reading),
  ];
}

/** The condition for records that the caller may see; empty if it may see all. */
function seenRecords({ name, own }: View, { reach: { account } }: Reading): readonly Condition[] {
  if (own === undefined) return [];
  const sql = own.row(name, account);
  const count = own.count?.(account) ?? null;
  if (own.equal === null) return [{ sql, count, index: own.isOwnerLink ? "page" : null }];
  const index = indexOf(own.equal);
  const lookups = [{ column: own.equal, by: "value" }] as const;
  return [{ sql, count, index, lookups }];
}

function readWhereCondition(
  view: View,
  where: unknown,
  { issues, reach }: Reading,
): readonly Condition[] {
  try {
    return [conditionOf(view, readWhere(view, where, reach), reach)];
  } catch (error) {
    if (!(error instanceof InvalidWhere)) throw error;
    issues.reject("where", error.message);
    return [];
  }
}

function readTexts(
  { columns }: View,
  sent: string,
  { issues, reach: { values } }: Reading,
): readonly Condition[] {
  const words = nfc(sent);
  if ([...words].length > maxSearchLength) {
    issues.reject("q", `At most ${maxSearchLength} characters`);
    return [];
  }
  const searched = Object.values<Column>(columns).filter(
    (column) => kindOf(column).isSearched && column.computed === undefined,
  );
  if (searched.length === 0) return [noRecord];
  values.push(likePattern("contains", words));
  const isIndexed = trigram.test(foldText(words));
  const folded = `service.fold_text($${values.length})`;
  const pattern = isIndexed ? `(select ${folded})` : folded;
  // The same expression as in the search index.
  const sql = searched
    .map((column) => `service.fold_text(${kindOf(column).text(column.name)}) like ${pattern}`)
    .join(" or ");
  return [{ sql: `(${sql})`, count: null, index: isIndexed ? "rows" : null }];
}

/**
 * Text that the search index reliably finds, in every locale. PostgreSQL plans such a search once for all words,
 * because the `select` hides them from its planner; planning took twice as long as finding a rare word (measured). A
 * shorter text must not use the index, which would be scanned completely.
 */
const trigram = /[a-z0-9]{3}/;
