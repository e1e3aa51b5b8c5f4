/** How rows of a list have changed while it is shown. */
export interface Marks {
  /** Rows that would not be in it any more. */
  readonly gone: ReadonlySet<string>;
  /** The columns whose values have just changed, by row. */
  readonly fresh: ReadonlyMap<string, ReadonlySet<string>>;
}

export const noMarks: Marks = { gone: new Set(), fresh: new Map() };
