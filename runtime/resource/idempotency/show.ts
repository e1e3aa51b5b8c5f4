import type { Actor, Services } from "../../own-code/index.js";
import { hasPrivateFile, privateMark } from "../../values/files/private-mark.js";
import { filesShown } from "../record/file-use.js";
import { accessOf } from "../record/read.js";
import { shownAgain } from "../rights/replay.js";
import { fileOf } from "../table/record-json.js";
import type { Table } from "../table/table.js";

/** The table of a stored record, or of each record in the stored response of a batch. */
type Tables = Table<never> | readonly (Table<never> | null)[];

/**
 * Returns the JSON of a stored response for its caller, without fields that the caller may no longer read. Signs only
 * URLs of files that a record still shows to the caller; access to other files depends on the request's token.
 */
export async function showAgain(actor: Actor, tables: Tables, stored: string): Promise<string> {
  const json = shownAgain(stored, tables, actor.caller);
  if (!hasPrivateFile(json)) return json;
  if ("columns" in tables) {
    const stored = storedRecord(tables, JSON.parse(json));
    const changed = withoutHidden(actor, stored, await shownFiles(actor, [stored]));
    return changed === stored.record ? json : JSON.stringify(changed);
  }
  const answer: { readonly data: readonly (object | null)[] } = JSON.parse(json);
  const records = answer.data.map((record, at) => {
    const table = tables[at] ?? null;
    return table && record && storedRecord(table, record);
  });
  const shown = await shownFiles(
    actor,
    records.filter((one) => one !== null),
  );
  const data = records.map((one) => one && withoutHidden(actor, one, shown));
  // If nothing was removed, the response is sent byte for byte.
  const isSame = data.every((record, at) => record === answer.data[at]);
  return isSame ? json : JSON.stringify({ ...answer, data });
}

/** The keys of files that records show to the caller, by the field of the file. */
type ShownFiles = ReadonlyMap<Table<never>, ReadonlyMap<string, ReadonlySet<string>>>;

/** Finds the private files of records, with one lookup per field of a resource. */
async function shownFiles(actor: Actor, records: readonly StoredRecord[]): Promise<ShownFiles> {
  const stored = new Map<Table<never>, Map<string, Set<string>>>();
  for (const { table, members } of records) {
    const ofTable = stored.get(table) ?? new Map<string, Set<string>>();
    stored.set(table, ofTable);
    for (const { field, keys } of members.values()) {
      if (field === null) continue;
      const ofField = ofTable.get(field) ?? new Set<string>();
      ofTable.set(field, ofField);
      for (const key of keys) ofField.add(key);
    }
  }
  const shown = new Map<Table<never>, Map<string, ReadonlySet<string>>>();
  for (const [table, ofTable] of stored) {
    const place = { actor, reader: accessOf(actor, table) };
    const own = new Map<string, ReadonlySet<string>>();
    for (const [field, keys] of ofTable) {
      own.set(field, await filesShown(place, table, { field, keys: [...keys] }));
    }
    shown.set(table, own);
  }
  return shown;
}

/** A record of a stored response, with the members that contain details of private files, by name. */
interface StoredRecord {
  readonly table: Table<never>;
  readonly record: object;
  readonly members: ReadonlyMap<string, PrivateMember>;
}

interface PrivateMember {
  /** The name without the mark of private files. */
  readonly plain: string;
  /** The field of the files; null if it was removed or renamed since. */
  readonly field: string | null;
  readonly keys: readonly string[];
}

function storedRecord(table: Table<never>, record: object): StoredRecord {
  const members = new Map<string, PrivateMember>();
  for (const [name, value] of Object.entries(record)) {
    if (!name.endsWith(privateMark)) continue;
    const plain = name.slice(0, -privateMark.length);
    const keys = ([value ?? []].flat() as readonly Details[]).map(({ key }) => key);
    members.set(name, { plain, field: fileOf(table, plain)?.key ?? null, keys });
  }
  return { table, record, members };
}

/**
 * Replaces the URLs of private files that no record shows to the caller with unsigned ones; returns the same record if
 * there are none.
 */
function withoutHidden(
  actor: Actor,
  { table, record, members }: StoredRecord,
  shown: ShownFiles,
): object {
  let isSame = true;
  const entries = Object.entries(record).map(([name, value]): [string, unknown] => {
    const member = members.get(name);
    if (member === undefined) return [name, value];
    const isShown = (key: string) =>
      shown
        .get(table)
        ?.get(member.field ?? "")
        ?.has(key) === true;
    if (member.keys.every(isShown)) return [name, value];
    isSame = false;
    const details = (one: Details) =>
      isShown(one.key) ? signed(actor.services, one) : unsigned(one);
    return [member.plain, mapped(value, details)];
  });
  return isSame ? record : Object.fromEntries(entries);
}

interface Details {
  readonly key: string;
}

function mapped(value: Details | readonly Details[], change: (one: Details) => object): object {
  return "key" in value ? change(value) : value.map(change);
}

/** The details with signed URLs, which give access to the file. */
function signed({ signFiles }: Pick<Services, "signFiles">, details: Details): object {
  const marked = JSON.stringify({ [privateMark]: details });
  return JSON.parse(signFiles(marked))[""];
}

/** The details with URLs of this server: stored URLs of formerly public files may point to the bucket. */
function unsigned(details: object): object {
  const text = JSON.stringify(details, (name, value) => (name === "url" ? pathOf(value) : value));
  return JSON.parse(text);
}

/** Returns the storage key of a URL: its last five segments. */
function pathOf(url: string): string {
  return `/api/_service/files/${url.split("/").slice(-5).join("/")}`;
}
