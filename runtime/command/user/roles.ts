import { entriesOf, publicWord, signedInWord, whoOf } from "../../values/access-rule.js";
import { didYouMean } from "../../values/nearest.js";
import { describedResources } from "../app/generated.js";
import { warn } from "../report.js";

/**
 * Warns about a role that no descriptor names while others are named: it is probably misspelled, although app code may
 * use it.
 */
export function warnOfUnknownRole(root: string, role: string): void {
  const named = describedResources(root).flatMap(({ access }) =>
    Object.values(access).flatMap((rule) => entriesOf(rule).map(whoOf).filter(isRole)),
  );
  if (named.length === 0 || named.includes(role)) return;
  const guess = didYouMean(role, [...new Set(named)]);
  warn(`No descriptor names the role "${role}"${guess === null ? "" : `; ${guess}`}`);
}

function isRole(word: string): boolean {
  return word !== publicWord && word !== signedInWord;
}
