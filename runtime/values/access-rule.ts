/** Who may do something: everybody who is signed in, nobody, or the roles that are listed. */
export type Rule = "signed-in" | "nobody" | readonly string[];

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

/** Whether the rule lets those in who own the record, all of them or some. */
export function isOwnerRule(rule: Rule): boolean {
  return typeof rule !== "string" && rule.some(isOwnerWord);
}
