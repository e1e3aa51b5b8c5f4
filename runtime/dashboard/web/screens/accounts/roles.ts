import { isOwnerWord } from "../../../../values/access-rule.js";
import type { Resource } from "../../api/client/types.js";

/** The roles that rules of resources and fields name, by name. */
export function ruledRoles(resources: readonly Resource[]): readonly string[] {
  const rules = resources.flatMap(({ access, fields }) => [
    ...Object.values(access ?? {}),
    ...fields.flatMap((field) => Object.values(field.access ?? {})),
  ]);
  // A rule that is one word, such as `signed-in`, is for everybody or nobody.
  const roles = rules.flatMap((rule) => (typeof rule === "string" ? [] : rule));
  return [...new Set(roles.filter((role) => !isOwnerWord(role)))].sort();
}
