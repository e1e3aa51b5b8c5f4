import type { Random } from "../openapi/random.js";
import { changePath, changeQuery } from "./address.js";
import type { Attack } from "./attack.js";
import { addBody, changeBytes, changeTree } from "./body.js";
import { changeHeader, changeMethod } from "./head.js";

type Change = (random: Random, attack: Attack) => Attack | null;

/** Mutations, weighted towards those that pass the first checks. */
const changes: readonly Change[] = [
  ...Array<Change>(6).fill(changeTree),
  ...Array<Change>(4).fill(changeQuery),
  ...Array<Change>(2).fill(changeHeader),
  changeBytes,
  changePath,
  addBody,
  changeMethod,
];

/** The same request with one to three things about it changed. */
export function mutated(random: Random, attack: Attack): Attack {
  let made = attack;
  for (let left = random.pick([1, 1, 1, 2, 2, 3]); left > 0; left -= 1) {
    made = random.pick(changes)(random, made) ?? changeQuery(random, made);
  }
  return made;
}
