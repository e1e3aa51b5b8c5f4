import type { ReactNode } from "react";
import { foldText } from "../../../../values/text.js";

/** A target to jump to, or an action. */
export interface Place {
  /** Unique: an address, or the name of an action. */
  readonly key: string;
  readonly label: string;
  /** Text that distinguishes places with the same label. */
  readonly detail?: string | undefined;
  /** The label with the search's matches, as highlighted by the API. */
  readonly markedLabel?: string | undefined;
  /** A match outside the label, as highlighted by the API; shown instead of the detail. */
  readonly reason?: string | undefined;
  readonly icon: ReactNode;
  /** Null for a link to the address in `key`. */
  readonly onAction: (() => void) | null;
}

export interface PlaceGroup {
  /** Unique among groups. */
  readonly key: string;
  readonly name: string;
  readonly places: readonly Place[];
}

/** Minimum number of letters to match inside a word, not only at its beginning. */
const leastWithin = 3;

/** Whether a label has every word of a term, in any order. */
export function matches(label: string, term: string): boolean {
  const text = foldText(label);
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u);
  return foldText(term)
    .split(/\s+/)
    .every(
      (part) =>
        words.some((word) => word.startsWith(part)) ||
        (part.length >= leastWithin && text.includes(part)),
    );
}
