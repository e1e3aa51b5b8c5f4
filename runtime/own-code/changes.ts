/**
 * Changes of some fields: new values, or an operation on the current value: for numbers `{ add: -1 }`, for
 * lists `{ add: ["new"], remove: ["old"] }`.
 */
export type Changes<Values> = {
  [Key in keyof Values]?:
    | Values[Key]
    | (NonNullable<Values[Key]> extends number ? Addition : never)
    | (NonNullable<Values[Key]> extends readonly unknown[] ? ListChange<Values[Key]> : never);
};

/** Added to the stored number, whatever its current value. */
export interface Addition {
  readonly add: number;
}

/** Elements that are removed from the stored list, and then others that are appended. */
export interface ListChange<List> {
  readonly add?: List;
  readonly remove?: List;
}

/**
 * Returns the changes of an update for the stored record. It must return at least one, and must not write that record
 * itself.
 */
export type ChangesOf<Record, Values> = (
  record: Record,
) => Changes<Values> | Promise<Changes<Values>>;

/** The values of a record; fields that are optional or have a default may be left out. */
export type NewValues<Values, Defaulted extends keyof Values = never> = Omit<
  Values,
  Optional<Values> | Defaulted
> &
  Partial<Pick<Values, Optional<Values> | Defaulted>>;

type Optional<Values> = {
  [Key in keyof Values]: null extends Values[Key] ? Key : never;
}[keyof Values];
