/**
 * Changes of some fields: new values, or a change of the stored value, whatever it is: for numbers `{ add: -1 }`, for
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
