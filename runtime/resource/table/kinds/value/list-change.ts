import { z } from "zod";
import { cellWords } from "../../../../values/files/cell-words.js";
import type { ReadAmount } from "./addition.js";

/** A change of a stored list: some elements are removed, then others are appended. */
export interface ListChange {
  readonly add: readonly unknown[];
  readonly remove: readonly unknown[];
  /** Whether elements that the list already contains are not added again. */
  readonly isDistinct: boolean;
}

/** The validation of a list's elements. */
interface Elements {
  readonly element: z.ZodType;
  readonly isDistinct: boolean;
  /** Whether `remove` also refuses elements that no list can contain; otherwise such elements count as absent. */
  readonly isStrict: boolean;
  /** The maximum length of a list, and the message for a longer one. */
  readonly maxItems: number;
  readonly tooMany: string;
}

/** The validation of elements, by the schema of a list. */
export const listElements = new WeakMap<z.ZodType, Elements>();

/** The element validation of a list's schema, which may have a default; null for other schemas. */
export function elementsOf(schema: z.ZodType | undefined): Elements | null {
  if (schema instanceof z.ZodDefault) return elementsOf(schema.def.innerType as z.ZodType);
  return schema === undefined ? null : (listElements.get(schema) ?? null);
}

export const alreadyThere = cellWords.listedTwice;

/** The positions of elements that equal an earlier one; refused elements equal none. */
export function repeatedIn(values: readonly unknown[]): readonly number[] {
  const seen = new Set<unknown>();
  return values.flatMap((value, at) => {
    if (seen.has(value)) return [at];
    if (value !== z.NEVER) seen.add(value);
    return [];
  });
}

/** Reads `{ "add": [...], "remove": [...] }`; null if the value is not an object. `json` is the type of an element. */
export function readListChange(
  sent: unknown,
  schema: z.ZodType | undefined,
  json: "string" | "number" | "boolean",
): ReadAmount | null {
  const elements = elementsOf(schema);
  if (elements === null || typeof sent !== "object" || sent === null || Array.isArray(sent)) {
    return null;
  }
  const { element, isDistinct, isStrict, maxItems, tooMany } = elements;
  const issues: { path: (string | number)[]; message: string }[] = [];
  const refuse = (message: string, ...path: (string | number)[]) => issues.push({ path, message });
  const unknown = Object.keys(sent).filter((key) => key !== "add" && key !== "remove");
  for (const key of unknown.slice(0, maxNamed)) refuse("Is neither add nor remove", key);
  if (Object.keys(sent).length === 0) refuse("Must have add or remove");
  const add = read("add", () => true);
  const remove = read("remove", (value) => isStrict || typeof value !== json);
  if (isDistinct) refuseRepeated();
  return issues.length > 0 ? { issues } : { amount: { add, remove, isDistinct } };

  /**
   * The elements in their stored form; `mustBeValid` decides whether an element that no list can contain is refused.
   * Any number can be removed: only the size of a body limits it.
   */
  function read(
    key: "add" | "remove",
    mustBeValid: (value: unknown) => boolean,
  ): readonly unknown[] {
    const values: unknown = Object.hasOwn(sent as object, key)
      ? Reflect.get(sent as object, key)
      : [];
    if (!Array.isArray(values)) refuse("Must be a list", key);
    else if (key === "add" && values.length > maxItems) refuse(tooMany);
    else return values.map((value, at) => readOne(value, key, at));
    return [];

    function readOne(value: unknown, ...place: (string | number)[]): unknown {
      if (issues.length >= maxNamed) return z.NEVER;
      const checked = element.safeParse(value);
      if (checked.success) return checked.data;
      if (!mustBeValid(value)) return value;
      refuse(checked.error.issues[0]?.message ?? "Not valid", ...place);
      return z.NEVER;
    }
  }

  function refuseRepeated(): void {
    const removed = new Set(remove);
    const mistakes = [
      ...repeatedIn(add).map((at) => ["add", at, alreadyThere] as const),
      ...repeatedIn(remove).map((at) => ["remove", at, alreadyThere] as const),
      ...add.flatMap((value, at) =>
        value !== z.NEVER && removed.has(value) ? [["add", at, "Is in both lists"] as const] : [],
      ),
    ];
    for (const [key, at, message] of mistakes.slice(0, maxNamed)) refuse(message, key, at);
  }
}

/** The maximum number of mistakes of one kind that are reported for a change; no list has more elements. */
const maxNamed = 1000;

export function changedList(
  stored: readonly unknown[],
  { add, remove, isDistinct }: ListChange,
): readonly unknown[] {
  const removed = new Set(remove);
  const kept = stored.filter((value) => !removed.has(value));
  const there = new Set(kept);
  return [...kept, ...(isDistinct ? add.filter((value) => !there.has(value)) : add)];
}
