import { setImmediate as nextTurn } from "node:timers/promises";
import { searchEnd } from "../../../db/index.js";
import { type Context, type Issues, Parameters } from "../../../http/index.js";
import { visitor } from "../../../own-code/index.js";
import { sqlLiteral } from "../../../values/sql/text.js";
import type { View } from "../../rights/view.js";
import { idColumn, idSqlType, plainName } from "../../table/column-keys.js";
import { kindOf } from "../../table/kinds/kinds.js";
import { columnOf } from "../../table/table.js";
import { readConditions } from "../conditions.js";
import { Reach } from "../reach.js";
import { byToken, highlighted, type Matches, type WordMatch } from "./marks.js";
import { isSearch } from "./search.js";
import { parseSearch } from "./terms.js";
import { tokensOf } from "./tokens.js";

/** The highlights that a request asks for. */
export interface Highlight {
  readonly fields: readonly string[];
  /** The terms of the search as JSON. */
  readonly terms: string;
}

interface Sent {
  readonly search?: string | undefined;
  readonly highlight?: readonly string[] | undefined;
}

/** Checks the fields to highlight; null if there are none. */
export function readHighlight(
  view: View,
  { search, highlight }: Sent,
  issues: Issues,
): Highlight | null {
  if (highlight === undefined) return null;
  if (view.table.words === undefined) {
    issues.reject("highlight", "Unknown parameter");
    return null;
  }
  if (search === undefined) issues.reject("highlight", "Needs search");
  const offered = Object.entries(view.table.words.fields).flatMap(([name, { link }]) =>
    link === undefined && highlightOf(view, name) !== null ? [name] : [],
  );
  const wrong = highlight.find((name) => !offered.includes(name));
  if (wrong !== undefined) {
    const names = offered.length === 0 ? "no field" : `some of ${offered.join(", ")}`;
    issues.reject("highlight", `Must name ${names}`);
  }
  if (!isSearch(search) || wrong !== undefined) return null;
  const terms = parseSearch(search)
    .flat()
    .filter(({ not }) => !not);
  return { fields: [...new Set(highlight)], terms: JSON.stringify(terms) };
}

/** How the words of a field are highlighted; null if they are not, or if the caller may not read the field. */
function highlightOf(view: View, field: string): "whole" | "fragments" | null {
  const column = columnOf(view, field);
  return column === null ? null : kindOf(column).highlight;
}

type Highlighted = Readonly<Record<string, string>>;

interface TextRow {
  readonly id: string;
  readonly language: string;
  readonly texts: readonly (string | null)[];
}

/** The maximum number of characters of a text that are processed. */
const maxRead = 100_000;

/** The maximum number of records whose texts are in memory at the same time. */
const atOnce = 25;

type ReadSearch = <Row>(statement: Statement) => Promise<readonly Row[]>;

/** Returns `meta.highlights` for a page's records. All its statements share the time limit of one search. */
export async function highlightsOf(
  highlight: Highlight,
  { view, ids }: { readonly view: View; readonly ids: readonly string[] },
  context: Context,
): Promise<Readonly<Record<string, Highlighted>>> {
  const shown = new Map<string, Highlighted>();
  const read = searchesOf(view, context);
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce);
    const rows = await read<TextRow>(textsOf(view, { highlight, ids: some }, context));
    for (const language of new Set(rows.map((row) => row.language))) {
      const own = rows.filter((row) => row.language === language);
      const matches = await matchesOf({ view, language, highlight }, own, read);
      for (const row of own) {
        shown.set(row.id, highlightsIn(row, { view, highlight, matches }));
        // A page of long texts takes CPU time that other requests need.
        await nextTurn();
      }
    }
  }
  return Object.fromEntries(ids.map((id) => [id, shown.get(id) ?? {}]));
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

function searchesOf({ resource }: View, { services }: Context): ReadSearch {
  const database = services.db.ofResource(resource);
  const until = searchEnd();
  return <Row>(statement: Statement) => {
    return database.read<Row>({
      ...statement,
      cost: "scan",
      isVaried: true,
      isSearch: true,
      until,
    });
  };
}

/** Finds the words in these texts that match. */
async function matchesOf(
  of: { readonly view: View; readonly language: string; readonly highlight: Highlight },
  rows: readonly TextRow[],
  read: ReadSearch,
): Promise<Matches> {
  const tokens = new Set<string>();
  for (const { texts } of rows) {
    for (const text of texts) for (const token of tokensOf(text ?? "")) tokens.add(token.text);
    await nextTurn();
  }
  const { view, language, highlight } = of;
  const values = [plainName(view.table), language, highlight.terms, [...tokens]];
  const text = "select * from service.word_matches($1, $2, $3, $4)";
  return byToken(await read<WordMatch>({ text, values }));
}

function highlightsIn(
  { texts }: TextRow,
  of: { readonly view: View; readonly highlight: Highlight; readonly matches: Matches },
): Highlighted {
  const entries = of.highlight.fields.flatMap((field, at) => {
    const isLong = highlightOf(of.view, field) === "fragments";
    const text = highlighted(texts[at] ?? "", of.matches, { isLong });
    return text === null ? [] : [[field, text] as const];
  });
  return Object.fromEntries(entries);
}

/** The statement for the texts of records that the caller may still see. */
function textsOf(
  view: View,
  { highlight, ids }: { readonly highlight: Highlight; readonly ids: readonly string[] },
  { caller, services }: Context,
): Statement {
  const reach = new Reach(services.isTrusted === true ? null : (caller ?? visitor));
  reach.values.push(ids);
  const seen = readConditions(view, { filters: [] }, { issues: new Parameters(""), reach });
  const columns = highlight.fields.flatMap((field) => columnOf(view, field) ?? []);
  const texts = columns.map(({ name }) => `left(${name}, ${maxRead})`).join(", ");
  const id = idColumn(view.table);
  const where = [`${id} = any ($1::${idSqlType(view.table)}[])`, ...seen.map(({ sql }) => sql)];
  const text = `
    select
      ${id}::text as id,
      service.words_language(${sqlLiteral(plainName(view.table))}, to_jsonb(${view.name}.*)) as language,
      to_json(array[${texts}]) as texts
    from ${view.name}
    where ${where.join(" and ")}`;
  return { text, values: reach.values };
}
