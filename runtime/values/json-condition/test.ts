/** A condition on a JSON value; `keys` is the path to a member, empty for the value itself. */
export type JsonTest =
  /** The value contains this JSON text, by the rules of `@>`. */
  | { readonly kind: "has"; readonly value: string }
  /** The member is missing or null. */
  | { readonly kind: "absent"; readonly keys: Keys }
  /** The member equals one of these JSON texts. */
  | { readonly kind: "oneOf"; readonly keys: Keys; readonly values: readonly string[] }
  /** Compares a member that is a text or a number with the bound, in the order of `sort`. */
  | {
      readonly kind: "compared";
      readonly keys: Keys;
      readonly operator: "<" | "<=" | ">" | ">=";
      readonly bound: string | number;
    }
  /** The member is a text that matches the pattern of `like`, without regard to case and accents. */
  | { readonly kind: "like"; readonly keys: Keys; readonly pattern: string }
  | { readonly kind: "any"; readonly parts: readonly JsonTest[] }
  /** Matches exactly the records that the part does not match. */
  | { readonly kind: "not"; readonly part: JsonTest };

type Keys = readonly string[];
