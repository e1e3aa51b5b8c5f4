import type { Actor, Services } from "../../own-code/index.js";
import { hasPrivateFile, privateMark } from "../../values/files/private-mark.js";
import { filesShown } from "../record/file-use.js";
import { accessOf } from "../record/read.js";
import { shownAgain } from "../rights/replay.js";
import { fileOf } from "../table/record-json.js";
import type { Table } from "../table/table.js";

/** The table of a stored record, or of each record in the stored answer of a batch. */
type Tables = Table<never> | readonly (Table<never> | null)[];

/**
 * The JSON text of a stored answer for its caller: without fields that the caller may no longer
 * read. Only URLs of files that a record still shows to the caller are signed; for the others the
 * token of the request decides.
 */
export async function showAgain(actor: Actor, tables: Tables, stored: string): Promise<string> {
  const json = shownAgain(stored, tables, actor.caller);
  if (!hasPrivateFile(json)) return json;
  if ("columns" in tables) {
    const record: object = JSON.parse(json);
    const shown = await withoutHidden(actor, tables, record);
    return shown === record ? json : JSON.stringify(shown);
  }
  const answer: { readonly data: readonly (object | null)[] } = JSON.parse(json);
  const data: (object | null)[] = [];
  for (const [at, record] of answer.data.entries()) {
    const table = tables[at] ?? null;
    data.push(table && record && (await withoutHidden(actor, table, record)));
  }
  // An answer without changes is sent byte for byte.
  const isSame = data.every((record, at) => record === answer.data[at]);
  return isSame ? json : JSON.stringify({ ...answer, data });
}

/** The record with plain URLs of private files that no record shows the caller; the same record if there are none. */
async function withoutHidden(actor: Actor, table: Table<never>, record: object): Promise<object> {
  const place = { actor, reader: accessOf(actor, table) };
  const members: [string, unknown][] = [];
  let isSame = true;
  for (const [name, value] of Object.entries(record)) {
    if (!name.endsWith(privateMark)) {
      members.push([name, value]);
      continue;
    }
    const plain = name.slice(0, -privateMark.length);
    // A field may have been removed or renamed since.
    const field = fileOf(table, plain)?.key ?? null;
    const keys = ([value ?? []].flat() as readonly Details[]).map(({ key }) => key);
    const shown = field === null ? none : await filesShown(place, table, { field, keys });
    const isHidden = keys.some((key) => !shown.has(key));
    const details = (one: Details) =>
      shown.has(one.key) ? signed(actor.services, one) : unsigned(one);
    members.push(isHidden ? [plain, mapped(value, details)] : [name, value]);
    if (isHidden) isSame = false;
  }
  return isSame ? record : Object.fromEntries(members);
}

const none: ReadonlySet<string> = new Set();

interface Details {
  readonly key: string;
}

function mapped(value: Details | readonly Details[], change: (one: Details) => object): object {
  return "key" in value ? change(value) : value.map(change);
}

/** The details with URLs by which their holder may fetch the file. */
function signed({ signFiles }: Pick<Services, "signFiles">, details: Details): object {
  const marked = JSON.stringify({ [privateMark]: details });
  return JSON.parse(signFiles(marked))[""];
}

/** The details with URLs of this server: those of files that were public may be the bucket's. */
function unsigned(details: object): object {
  const text = JSON.stringify(details, (name, value) => (name === "url" ? pathOf(value) : value));
  return JSON.parse(text);
}

/** The last five segments of a URL are a storage key. */
function pathOf(url: string): string {
  return `/api/_service/files/${url.split("/").slice(-5).join("/")}`;
}
