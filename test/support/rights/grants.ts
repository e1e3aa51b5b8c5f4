import type { Record } from "../query-model.js";

/** An entry of a rule with conditions on the record. */
export interface RuledEntry {
  readonly who: string;
  readonly where?: Record;
  readonly check?: Record;
}

export type Rule = "signed-in" | "nobody" | readonly (string | RuledEntry)[];

export interface Asker {
  readonly id: string;
  readonly role: string | null;
  /** Whether it has no token. */
  readonly isVisitor?: true;
}

/** What one entry gives to a caller; words for the owner without conditions are one entry together. */
export interface Grant {
  /** Null if it asks for no owner. */
  readonly owners: readonly string[] | null;
  readonly where: Record;
  readonly check: Record;
  readonly isConditional: boolean;
}

/** What a rule gives to a caller: all records, or those of any of these. */
export function grantsOf(
  rule: Rule,
  asker: Asker,
  { hasOwner }: { readonly hasOwner: boolean },
): "all" | readonly Grant[] {
  const grants: Grant[] = [];
  const owners: string[] = [];
  for (const entry of entriesOf(rule)) {
    const who = typeof entry === "string" ? entry : entry.who;
    const isOwner = isOwnerWord(who);
    if (isOwner ? !hasOwner || asker.isVisitor : !isMeant(who, asker)) continue;
    if (typeof entry !== "string") {
      const { where = {}, check = {} } = entry;
      grants.push({ owners: isOwner ? [who] : null, where, check, isConditional: true });
    } else if (isOwner) owners.push(who);
    else return "all";
  }
  if (owners.length > 0) grants.push({ owners, where: {}, check: {}, isConditional: false });
  return grants;
}

/** Whether more than the link to the owner decides about the written record. */
export function isJudged(kind: string, grants: readonly Grant[]): boolean {
  const owners = new Set(grants.map((grant) => JSON.stringify(grant.owners)));
  const decides = kind === "create" ? isConditional : hasCheck;
  return owners.size > 1 || grants.some(decides);
}

function isConditional(grant: Grant): boolean {
  return grant.isConditional;
}

function hasCheck({ check }: Grant): boolean {
  return Object.keys(check).length > 0;
}

export function hasConditions(rule: Rule): boolean {
  return entriesOf(rule).some((entry) => typeof entry !== "string");
}

/** Whether a field's rule names the caller; a field without a rule is open to everybody. */
export function isOpen(rule: Rule, asker: Asker): boolean {
  if (rule === "signed-in") return true;
  return entriesOf(rule).some((who) => typeof who === "string" && isMeant(who, asker));
}

/** The condition with the words that stand for a value of the caller. */
export function meantBy(asker: Asker, condition: Record): Record {
  const text = JSON.stringify(condition).replaceAll('"$accountId"', JSON.stringify(asker.id));
  return JSON.parse(text);
}

function entriesOf(rule: Rule): readonly (string | RuledEntry)[] {
  if (rule === "nobody") return [];
  return rule === "signed-in" ? ["signed-in"] : rule;
}

function isMeant(who: string, { role, isVisitor }: Asker): boolean {
  if (who === "public") return true;
  if (isVisitor) return false;
  return who === "signed-in" || (who === role && !isOwnerWord(who));
}

function isOwnerWord(word: string): boolean {
  return word === "owner" || word.startsWith("owner.");
}
