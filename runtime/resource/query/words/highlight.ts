import { type Context, type Issues, Parameters } from "../../../http/index.js";
import { visitor } from "../../../own-code/index.js";
import { sqlLiteral } from "../../../values/sql/text.js";
import type { View } from "../../rights/view.js";
import { plainName } from "../../table/column-keys.js";
import { type Column, columnOf } from "../../table/table.js";
import { readConditions } from "../conditions.js";
import { Reach } from "../reach.js";
import { byToken, highlighted, tokensOf, type WordMatch } from "./marks.js";
import { isSearch } from "./search.js";
import { parseSearch } from "./terms.js";

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

/** Checks the fields to highlight; null for none. */
export function readHighlight(
  view: View,
  { search, highlight }: Sent,
  issues: Issues,
): Highlight | null {
  if (highlight === undefined || view.table.words === undefined) {
    if (highlight !== undefined) issues.reject("highlight", "Unknown parameter");
    return null;
  }
  if (search === undefined) issues.reject("highlight", "Needs search");
  const offered = Object.entries(view.table.words.fields).flatMap(([name, { link }]) => {
    const kind = link === undefined ? columnOf(view, name)?.kind : undefined;
    return kind === "string" || kind === "text" ? [name] : [];
  });
  const wrong = highlight.find((name) => !offered.includes(name));
  if (wrong !== undefined) issues.reject("highlight", `Must name some of ${offered.join(", ")}`);
  if (!isSearch(search) || wrong !== undefined) return null;
  const terms = parseSearch(search)
    .flat()
    .filter(({ not }) => !not);
  return { fields: [...new Set(highlight)], terms: JSON.stringify(terms) };
}

interface TextRow {
  readonly id: string;
  readonly language: string;
  readonly texts: readonly (string | null)[];
}

/** The most characters of a text that are read. */
const maxRead = 100_000;

/** `meta.highlights` of a page's records. */
export async function highlightsOf(
  { fields, terms }: Highlight,
  { view, ids }: { readonly view: View; readonly ids: readonly string[] },
  context: Context,
): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
  const db = context.services.db.ofResource(view.resource);
  const rows = await db.query<TextRow>(...textsOf(view, { fields, ids }, context));
  const name = plainName(view.table);
  const shown = new Map<string, Readonly<Record<string, string>>>();
  for (const language of new Set(rows.map((row) => row.language))) {
    const own = rows.filter((row) => row.language === language);
    const tokens = new Set(
      own.flatMap(({ texts }) =>
        texts.flatMap((text) => tokensOf(text ?? "").map((one) => one.text)),
      ),
    );
    const matches = byToken(
      await db.query<WordMatch>("select * from service.word_matches($1, $2, $3, $4)", [
        name,
        language,
        terms,
        [...tokens],
      ]),
    );
    for (const { id, texts } of own) {
      const entries = fields.flatMap((field, at) => {
        const isLong = columnOf(view, field)?.kind === "text";
        const text = highlighted(texts[at] ?? "", matches, { isLong });
        return text === null ? [] : [[field, text] as const];
      });
      shown.set(id, Object.fromEntries(entries));
    }
  }
  return Object.fromEntries(ids.map((id) => [id, shown.get(id) ?? {}]));
}

/** The statement of the texts: those of records that the caller still sees. */
function textsOf(
  view: View,
  { fields, ids }: { readonly fields: readonly string[]; readonly ids: readonly string[] },
  { caller, services }: Context,
): [string, readonly unknown[]] {
  const reach = new Reach(services.isTrusted === true ? null : (caller ?? visitor));
  reach.values.push(ids);
  const seen = readConditions(view, { filters: [] }, { issues: new Parameters(""), reach });
  const columns = fields.flatMap((field) => columnOf(view, field) ?? []);
  const texts = columns.map(({ name }: Column) => `left(${name}, ${maxRead})`).join(", ");
  const where = ["id = any ($1::uuid[])", ...seen.map(({ sql }) => sql)].join(" and ");
  const table = sqlLiteral(plainName(view.table));
  return [
    `select
      id::text as id,
      service.words_language(${table}, to_jsonb(${view.name})) as language,
      to_json(array[${texts}]) as texts
    from ${view.name}
    where ${where}`,
    reach.values,
  ];
}
