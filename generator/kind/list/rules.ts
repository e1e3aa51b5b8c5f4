/** The rules of a field whose values are lists. */
export interface ListRules {
  /** Minimum number of elements: 1 if lists must not be empty. */
  readonly least: 0 | 1;
  readonly maxItems: number;
  /** Whether elements must be distinct. */
  readonly isDistinct: boolean;
  readonly isIndexed: boolean;
  /** The value of a record that is created without the field; null if create requests must contain it. */
  readonly default: readonly (string | number)[] | null;
}
