/** Who may do something: everybody who is signed in, nobody, or the roles that are listed. */
export type Rule = "signed-in" | "nobody" | readonly string[];

/** In a list, the account that owns the record. It is no role, although an account's role may have this name. */
export const ownerWord = "owner";
