import { z } from "zod";
import { cellWords } from "../../../values/files/cell-words.js";
import { valueRequired } from "../../../values/rules.js";
import { isUuid } from "../../../values/uuid.js";
import { idKind } from "./id.js";
import type { Kind } from "./kind.js";
import type { ReadAmount } from "./value/addition.js";

/** An ordered list of ids of records. Compared by single ids. */
export const linksKind: Kind = {
  ...idKind,
  sqlType: "uuid[]",
  comparisons: "links",
  isList: true,
  addition: {
    read: readChange,
    sum: (value) => `array_to_json(${value})::text`,
    result: changedList,
  },
  takesReference: true,
};

export interface LinksRules {
  readonly maxItems: number;
  /** Whether the list must have an entry. */
  readonly required?: true;
}

/** Ids of records, none of them twice; their existence is checked when they are stored. */
export function references({ maxItems, required }: LinksRules): z.ZodType<string[]> {
  return z.unknown().transform((value, context) => {
    const refused = (message: string) => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    if (!Array.isArray(value)) {
      return refused(value === undefined || value === null ? valueRequired : cellWords.recordIds);
    }
    if (value.length > maxItems) return refused(`At most ${maxItems} records`);
    if (value.length === 0 && required) return refused("At least one record");
    const wrong = wrongIds(value);
    for (const { at, message } of wrong) {
      context.addIssue({ code: "custom", message, path: [at] });
    }
    return wrong.length > 0 ? z.NEVER : value.map(asId);
  });
}

/** The ids to add to a stored list, and those to remove from it first. */
interface ListChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Reads `{ "add": [ids], "remove": [ids] }`, with at least one of the two; null for any other value. */
function readChange(sent: unknown): ReadAmount | null {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return null;
  const { add = [], remove = [], ...others } = sent as Readonly<Record<string, unknown>>;
  const isChange = Array.isArray(add) && Array.isArray(remove);
  if (!isChange || Object.keys(others).length > 0 || Object.keys(sent).length === 0) return null;
  if (add.length > mostItems || remove.length > mostItems) {
    return { issues: [{ path: [], message: `At most ${mostItems} records` }] };
  }
  const issues = [...wrongAt("add", add), ...wrongAt("remove", remove)];
  if (issues.length > 0) return { issues };
  const change: ListChange = { add: add.map(asId), remove: remove.map(asId) };
  const both = change.add.flatMap((id, at) =>
    change.remove.includes(id) ? [{ path: ["add", at], message: "Is to be removed as well" }] : [],
  );
  return both.length > 0 ? { issues: both } : { amount: change };
}

/** The largest `maxItems`. */
const mostItems = 1000;

function wrongAt(key: string, ids: readonly unknown[]) {
  return wrongIds(ids).map(({ at, message }) => ({ path: [key, at], message }));
}

function asId(id: unknown): string {
  return String(id).toLowerCase();
}

/** The stored list, as JSON text, without the removed ids and with the new ones at its end. */
function changedList(
  text: string,
  amount: unknown,
): { value: readonly string[]; isExact: boolean } {
  const { add, remove } = amount as ListChange;
  const removed = new Set(remove);
  const kept = (JSON.parse(text) as readonly string[]).filter((id) => !removed.has(id));
  const known = new Set(kept);
  return { value: [...kept, ...add.filter((id) => !known.has(id))], isExact: true };
}

/** The place of an id in what was sent for a list: among those to add, or in the list itself. */
export function placeOf(id: string, at: number, amount: unknown): readonly (string | number)[] {
  const added = amount === undefined ? -1 : (amount as ListChange).add.indexOf(id);
  return added === -1 ? [at] : ["add", added];
}

interface WrongId {
  readonly at: number;
  readonly message: string;
}

/** The entries of a list that are no ids, or ids that the list has already. */
function wrongIds(ids: readonly unknown[]): readonly WrongId[] {
  const seen = new Set<string>();
  return ids.flatMap((id, at): readonly WrongId[] => {
    if (typeof id !== "string" || !isUuid(id)) return [{ at, message: cellWords.recordId }];
    const known = id.toLowerCase();
    if (seen.has(known)) return [{ at, message: cellWords.listedTwice }];
    seen.add(known);
    return [];
  });
}
