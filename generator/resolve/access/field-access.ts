import {
  entriesOf,
  isOwnerWord,
  isPublicRule,
  publicWord,
  type Rule,
  signedInWord,
  whoOf,
} from "../../../runtime/values/access-rule.js";
import type { Problem } from "../../../runtime/values/problem.js";
import { listWords } from "../../../runtime/values/text.js";
import type { Descriptor, FieldDescriptor } from "../../descriptor/descriptor.js";
import { problemOf } from "../../descriptor/source.js";
import { rulesOf } from "./access.js";

/** Returns problems with required fields that some callers cannot write although they can create a record. */
export function fieldAccessProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  return descriptors.flatMap((descriptor) =>
    descriptor.fields.flatMap((field) => {
      const kept = keptFrom(descriptor, field);
      if (kept === null) return [];
      const message =
        field.name === descriptor.owner && field.access.write === undefined
          ? `${kept} may create a record but cannot own it, and its owner "${field.name}" is required`
          : `${kept} may create a record, but "access" does not let them write "${field.name}", which is required and has no default`;
      const hint = "give the field a default, make it optional, or let them write it";
      const path = ["fields", field.name, "access"];
      return [problemOf(descriptor.source, { path, at: "value", message, hint })];
    }),
  );
}

/** Describes the callers who cannot provide a required field; null if every caller can. */
function keptFrom({ access, owner, team }: Descriptor, field: FieldDescriptor): string | null {
  const { required, default: value } = field.options;
  if (required !== true || value !== undefined) return null;
  const { create } = rulesOf(access);
  if (field.name === owner && team === null) {
    // The server sets the link to the caller's account, if the caller has one.
    return isPublicRule(create) ? visitors : null;
  }
  const { write } = field.access;
  return write === undefined ? null : outside(create, write);
}

const visitors = "callers without a token";

/** Describes the callers that the rule `create` admits and `write` does not; null if there are none. */
function outside(create: Rule, write: Rule): string | null {
  const named = entriesOf(create).map(whoOf);
  if (named.includes(publicWord)) return visitors;
  if (write === signedInWord) return null;
  if (named.some((who) => who === signedInWord || isOwnerWord(who))) {
    return "all signed-in accounts";
  }
  const others = named.filter((role) => write === "nobody" || !write.includes(role));
  return others.length === 0 ? null : listWords(others);
}
