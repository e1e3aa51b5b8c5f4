/**
 * Who may do something: everybody who is signed in, nobody, or what the entries of a list give: a caller has what at least
 * one of them gives.
 */
export type Rule<Entry extends Conditional = Conditional> =
  | "signed-in"
  | "nobody"
  | readonly (string | Entry)[];

/** An entry of a list with conditions on the record. */
export interface Conditional {
  /** The words of plain entries: a role, `owner`, `owner.lead`, `signed-in` or `public`. */
  readonly who: string;
  /** What the stored record must fulfil, as a JSON `where`. */
  readonly where?: JsonCondition;
  /** What the record as it is written must fulfil. */
  readonly check?: JsonCondition;
}

export type JsonCondition = { readonly [key: string]: JsonValue };
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Everybody, with a token or without. It is no role, although an account's role may have this name. */
export const publicWord = "public";

/** Everybody with a token. */
export const signedInWord = "signed-in";

/** In a list, the account that owns the record. It is no role, although an account's role may have this name. */
export const ownerWord = "owner";

/** Before a member's role, in a list: `owner.lead` is a member with the role `lead` in the group that owns the record. */
const memberPrefix = `${ownerWord}.`;

/** Whether a word of a list is about who owns the record; all others are roles of accounts. */
export function isOwnerWord(word: string): boolean {
  return word === ownerWord || word.startsWith(memberPrefix);
}

/** The role that `owner.lead` names; null for any other word. */
export function memberRoleOf(word: string): string | null {
  return word.startsWith(memberPrefix) ? word.slice(memberPrefix.length) : null;
}

/** The word of an entry. */
export function whoOf(entry: string | Conditional): string {
  return typeof entry === "string" ? entry : entry.who;
}

/** The entries of a rule. */
export function entriesOf<Entry extends Conditional>(
  rule: Rule<Entry>,
): readonly (string | Entry)[] {
  if (rule === "nobody") return [];
  return rule === signedInWord ? [signedInWord] : rule;
}

/** Whether the rule lets those in who own the record, all of them or some. */
export function isOwnerRule(rule: Rule): boolean {
  return typeof rule !== "string" && rule.some((entry) => isOwnerWord(whoOf(entry)));
}

/** Whether the rule lets callers without a token in, for all records or some. */
export function isPublicRule(rule: Rule): boolean {
  return typeof rule !== "string" && rule.some((entry) => whoOf(entry) === publicWord);
}

/** Whether the rule gives some callers other records than others. */
export function isNarrowRule(rule: Rule): boolean {
  return isOwnerRule(rule) || hasConditions(rule);
}

/** Whether conditions on the record decide. */
export function hasConditions(rule: Rule): boolean {
  return typeof rule !== "string" && rule.some((entry) => typeof entry !== "string");
}
