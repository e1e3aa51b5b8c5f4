/**
 * Changes of some fields: new values, or operations on the current value: `{ add: -1 }` for numbers, `{ add: ["new"],
 * remove: ["old"] }` for lists.
 */
export type Changes<Values> = {
  [Key in keyof Values]?:
    | Values[Key]
    | (NonNullable<Values[Key]> extends number ? Addition : never)
    | (NonNullable<Values[Key]> extends readonly unknown[] ? ListChange<Values[Key]> : never);
};

/** Adds to the stored number, whatever its current value. */
export interface Addition {
  readonly add: number;
}

/** Removes elements from the stored list, then appends others. */
export interface ListChange<List> {
  readonly add?: List;
  readonly remove?: List;
}

/**
 * Returns the changes of an update, computed from the stored record. It must return at least one, and must not write
 * that record itself.
 */
export type ChangesOf<Record, Values> = (
  record: Record,
) => Changes<Values> | Promise<Changes<Values>>;

/** The values of a record. Fields that are optional or have a default may be omitted. */
export type NewValues<Values, Defaulted extends keyof Values = never> = Omit<
  Values,
  Optional<Values> | Defaulted
> &
  Partial<Pick<Values, Optional<Values> | Defaulted>>;

type Optional<Values> = {
  [Key in keyof Values]: null extends Values[Key] ? Key : never;
}[keyof Values];
