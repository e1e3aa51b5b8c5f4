import {
  entriesOf,
  isOwnerWord,
  publicWord,
  signedInWord,
  whoOf,
} from "../../../../values/access-rule.js";
import type { Resource } from "../../api/client/types.js";

/** The roles that rules of resources and fields name, by name. */
export function ruledRoles(resources: readonly Resource[]): readonly string[] {
  const rules = resources.flatMap(({ access, fields }) => [
    ...Object.values(access ?? {}),
    ...fields.flatMap((field) => Object.values(field.access ?? {})),
  ]);
  const words = rules.flatMap((rule) => entriesOf(rule).map(whoOf));
  const roles = words.filter(
    (word) => word !== publicWord && word !== signedInWord && !isOwnerWord(word),
  );
  return [...new Set(roles)].sort();
}
