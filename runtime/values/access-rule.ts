/** Which callers a rule allows: all with a token, none, or those that at least one entry of a list allows. */
export type Rule<Entry extends Conditional = Conditional> =
  | "signed-in"
  | "nobody"
  | readonly (string | Entry)[];

/** An entry of a list with conditions on the record. */
export interface Conditional {
  /** The text of an entry without conditions: a role, `owner`, `owner.lead`, `signed-in` or `public`. */
  readonly who: string;
  /** A condition on the stored record, as a JSON `where`. */
  readonly where?: JsonCondition;
  /** A condition on the record as a write would store it. */
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

/** All callers, with or without a token. It is not a role, although an account's role may have this name. */
export const publicWord = "public";

/** All callers with a token. */
export const signedInWord = "signed-in";

/** In a list, the account that owns the record. It is not a role, although an account's role may have this name. */
export const ownerWord = "owner";

/**
 * Precedes a member's role in a list: `owner.lead` is a member with the role `lead` in the group that owns the record.
 */
const memberPrefix = `${ownerWord}.`;

/** Whether an entry of a list refers to the record's owner: `owner`, or `owner.` and a member's role. */
export function isOwnerWord(word: string): boolean {
  return word === ownerWord || word.startsWith(memberPrefix);
}

/** The role in an entry such as `owner.lead`; null for any other. */
export function memberRoleOf(word: string): string | null {
  return word.startsWith(memberPrefix) ? word.slice(memberPrefix.length) : null;
}

/** The caller that an entry names, without its conditions. */
export function whoOf(entry: string | Conditional): string {
  return typeof entry === "string" ? entry : entry.who;
}

/** A constant, because each request reads the entries of a rule. */
const none: readonly string[] = [];
const allSignedIn: readonly string[] = [signedInWord];

/** The entries of a rule. */
export function entriesOf<Entry extends Conditional>(
  rule: Rule<Entry>,
): readonly (string | Entry)[] {
  if (rule === "nobody") return none;
  return rule === signedInWord ? allSignedIn : rule;
}

/** Whether the rule allows some or all owners of the record. */
export function isOwnerRule(rule: Rule): boolean {
  return typeof rule !== "string" && rule.some((entry) => isOwnerWord(whoOf(entry)));
}

/** Whether the rule allows anonymous callers, for some or all records. */
export function isPublicRule(rule: Rule): boolean {
  return typeof rule !== "string" && rule.some((entry) => whoOf(entry) === publicWord);
}

/** Whether the rule allows different callers for different records. */
export function isNarrowRule(rule: Rule): boolean {
  return isOwnerRule(rule) || hasConditions(rule);
}

/** Whether the rule has conditions on the record. */
export function hasConditions(rule: Rule): boolean {
  return typeof rule !== "string" && rule.some((entry) => typeof entry !== "string");
}
