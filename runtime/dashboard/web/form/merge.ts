import type { Field } from "../api/client/types.js";
import { isSame, type Typed } from "./state.js";

export interface MergeField {
  readonly field: Field;
  readonly before: string;
  readonly theirs: string;
  readonly mine: string;
}

export interface Merge {
  /** Fields that both sides changed to different values: the user must choose. */
  readonly both: readonly MergeField[];
  readonly mine: readonly MergeField[];
  /** Fields that only the other side changed, or that both changed to the same value. */
  readonly theirs: readonly MergeField[];
}

export type Side = "theirs" | "mine";

/** The chosen version of each field; nothing is chosen initially. */
export type Choices = Readonly<Record<string, Side>>;

interface Versions {
  readonly before: Typed;
  readonly theirs: Typed;
  readonly mine: Typed;
}

export function mergeOf(fields: readonly Field[], { before, theirs, mine }: Versions): Merge {
  const all = fields.map((field) => ({
    field,
    before: before[field.name] ?? "",
    theirs: theirs[field.name] ?? "",
    mine: mine[field.name] ?? "",
  }));
  const isMine = (one: MergeField) => !isSame(one.field, one.before, one.mine);
  const isTheirs = (one: MergeField) => !isSame(one.field, one.before, one.theirs);
  const isAgreed = (one: MergeField) => isSame(one.field, one.theirs, one.mine);
  return {
    both: all.filter((one) => isMine(one) && isTheirs(one) && !isAgreed(one)),
    mine: all.filter((one) => isMine(one) && !isTheirs(one)),
    theirs: all.filter((one) => isTheirs(one) && (!isMine(one) || isAgreed(one))),
  };
}

export function openFields({ both }: Merge, choices: Choices): readonly MergeField[] {
  return both.filter(({ field }) => choices[field.name] === undefined);
}

/**
 * Returns the merged record: the stored version with the user's changes, except reverted ones, and the chosen values.
 */
export function merged(
  merge: Merge,
  theirs: Typed,
  choices: Choices,
): { readonly mine: Typed; readonly fields: readonly Field[] } {
  const kept = [
    ...merge.mine.filter(({ field }) => choices[field.name] !== "theirs"),
    ...merge.both.filter(({ field }) => choices[field.name] === "mine"),
  ];
  return {
    mine: { ...theirs, ...Object.fromEntries(kept.map(({ field, mine }) => [field.name, mine])) },
    fields: kept.map(({ field }) => field),
  };
}
