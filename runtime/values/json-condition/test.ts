/** A condition on a JSON value; `keys` lead to a member, and none of them to the value itself. */
export type JsonTest =
  /** The value contains this one, as `@>` has it; JSON text. */
  | { readonly kind: "has"; readonly value: string }
  /** The member is missing or null. */
  | { readonly kind: "absent"; readonly keys: Keys }
  /** The member equals one of these values; JSON texts. */
  | { readonly kind: "oneOf"; readonly keys: Keys; readonly values: readonly string[] }
  /** The member is a text or a number beyond the bound; in the order of `sort`. */
  | {
      readonly kind: "compared";
      readonly keys: Keys;
      readonly operator: "<" | "<=" | ">" | ">=";
      readonly bound: string | number;
    }
  /** The member is a text that matches the pattern of `like`, without regard to case and accents. */
  | { readonly kind: "like"; readonly keys: Keys; readonly pattern: string }
  | { readonly kind: "any"; readonly parts: readonly JsonTest[] }
  /** Exactly the records that do not fulfil the part. */
  | { readonly kind: "not"; readonly part: JsonTest };

type Keys = readonly string[];
