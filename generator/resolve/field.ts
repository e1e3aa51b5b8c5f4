import { type Rule, signedInWord } from "../../runtime/values/access-rule.js";
import type { FieldDescriptor } from "../descriptor/descriptor.js";
import type { LinkTo } from "../kind/kind.js";
import type { Field } from "../kind/kinds.js";
import { commonShape } from "../kind/option/options.js";
import { columnOf } from "./names/stored.js";

export interface Reach {
  /** Whether callers without a token can read or create records of the resource. */
  readonly isPublic: boolean;
  readonly linkTo: LinkTo;
}

/** The field of the model; `withExpressions` adds the expression of a computed field. */
export function fieldOf(written: FieldDescriptor, reach: Reach): Field {
  const { name, kind, options, access } = written;
  if (kind === null) {
    throw new Error(`field ${name} has no type, but no problem was reported for it`);
  }
  const {
    required = false,
    label = null,
    description = null,
    help = null,
    placeholder = null,
    was = null,
    readOnly = false,
    columnDefault = false,
  } = commonShape.parse(options);
  const common = {
    name,
    column: columnOf(written),
    label,
    description,
    help,
    placeholder,
    was,
    required,
    access: { read: fieldRule(access.read, reach), write: fieldRule(access.write, reach) },
    readOnly,
    columnDefault,
    computed: null,
    list: null,
  };
  return kind.field(common, options, reach.linkTo);
}

/**
 * Hides a field with the rule `signed-in` from callers without a token, if the resource is open to them. The result is
 * a list, as the word alone represents a field without a rule.
 */
function fieldRule(rule: Rule | undefined, { isPublic }: Reach): Rule {
  return isPublic && rule === signedInWord ? [signedInWord] : (rule ?? signedInWord);
}
