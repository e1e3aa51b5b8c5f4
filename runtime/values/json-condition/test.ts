/** A condition on a JSON value; `keys` is the path to a member, empty for the value itself. */
export type JsonTest =
  /** The value contains this JSON, given as text, by the rules of `@>`. */
  | { readonly kind: "has"; readonly value: string }
  /** The member is missing or null. */
  | { readonly kind: "absent"; readonly keys: Keys }
  /** The member equals one of these values, given as JSON texts. */
  | { readonly kind: "oneOf"; readonly keys: Keys; readonly values: readonly string[] }
  /** The member is a string or a number on this side of the bound, in the order of `sort`. */
  | {
      readonly kind: "compared";
      readonly keys: Keys;
      readonly operator: "<" | "<=" | ">" | ">=";
      readonly bound: string | number;
    }
  /** The member is a string that matches this `like` pattern, ignoring case and accents. */
  | { readonly kind: "like"; readonly keys: Keys; readonly pattern: string }
  | { readonly kind: "any"; readonly parts: readonly JsonTest[] }
  /** Matches exactly the records that `part` does not match. */
  | { readonly kind: "not"; readonly part: JsonTest };

type Keys = readonly string[];
