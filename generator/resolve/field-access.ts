import { isOwnerRule, type Rule } from "../../runtime/values/access-rule.js";
import type { Problem } from "../../runtime/values/problem.js";
import { listWords } from "../../runtime/values/text.js";
import type { Descriptor, FieldDescriptor } from "../descriptor/descriptor.js";
import { problemOf } from "../descriptor/source.js";
import { accessOf } from "./access.js";

/** Required fields that somebody who may create a record may not write. */
export function fieldAccessProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  return descriptors.flatMap((descriptor) =>
    descriptor.fields.flatMap((field) => {
      const kept = keptFrom(descriptor, field);
      if (kept === null) return [];
      const message = `${kept} may create a record, but "access" does not let them write "${field.name}", which is required and has no default`;
      const hint = "give the field a default, make it optional, or let them write it";
      const path = ["fields", field.name, "access"];
      return [problemOf(descriptor.source, { path, at: "value", message, hint })];
    }),
  );
}

/** Who cannot fill a field that has to be filled, in words; null where everybody can. */
function keptFrom({ access, owner, team }: Descriptor, field: FieldDescriptor): string | null {
  const { required, default: value } = field.options;
  const write = field.access.write ?? "signed-in";
  if (required !== true || value !== undefined || write === "signed-in") return null;
  // The link to an account is set by the server, so nobody has to write it.
  if (field.name === owner && team === null) return null;
  const { create } = accessOf(access);
  return outside(create, write);
}

/** The callers whom the rule `create` names and `write` does not, in words; null where there are none. */
function outside(create: Rule, write: Exclude<Rule, "signed-in">): string | null {
  if (create === "nobody") return null;
  if (create === "signed-in" || isOwnerRule(create)) return "everybody who is signed in";
  const others = create.filter((role) => write === "nobody" || !write.includes(role));
  return others.length === 0 ? null : listWords(others);
}
