/** Describes the values of a field that are lists. */
export interface ListRules {
  /** 1 if every record must have at least one element. */
  readonly least: 0 | 1;
  readonly maxItems: number;
  /** Whether no element may be repeated. */
  readonly isDistinct: boolean;
  readonly isIndexed: boolean;
  /** Used when a record is created without the field; null if every create must send it. */
  readonly default: readonly (string | number)[] | null;
}
