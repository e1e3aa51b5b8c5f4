import type { ResourceHooks, ResourcePolicies } from "../../../../runtime/own-code/index.js";

/** A kind of function that an app gives for a resource. */
export interface Signature {
  readonly group: "hooks" | "policies";
  /** Parameters by name; one that the body does not use begins with an underscore. */
  readonly parameters: readonly (readonly [name: string, type: ParameterType])[];
  readonly isVoid: boolean;
  /** Lines, without semicolons. */
  readonly body: readonly string[];
}

/** A hook or a policy of a resource. */
export interface OwnFunction {
  readonly resource: string;
  /** What `app.resources` calls it, which own code may write too. */
  readonly collection: string;
  /** The type of its records. */
  readonly type: string;
  readonly name: string;
  readonly signature: Signature;
}

/** `values` and `record` are those of the resource. */
export type ParameterType = "caller" | "values" | "changes" | "record" | "context";

const caller = ["_caller", "caller"] as const;
const record = ["_record", "record"] as const;
const context = ["_context", "context"] as const;
const logged = ["{ log }", "context"] as const;

/** `throw refusal(…)` in a comment: its import would be unused as yet. */
const refuse =
  '// To refuse: throw refusal(409, "Why not"); import it from "service/runtime/errors".';

export const hookSignatures = {
  beforeCreate: hook([["values", "values"], context], [refuse, "return values"]),
  beforeUpdate: hook([["changes", "changes"], record, context], [refuse, "return changes"]),
  beforeDelete: { ...hook([record, context], [refuse]), isVoid: true },
  afterCreate: after([["record", "record"], logged], "Created"),
  afterUpdate: after([["record", "record"], ["_former", "record"], logged], "Updated"),
  afterDelete: after([["record", "record"], logged], "Deleted"),
} satisfies Record<keyof ResourceHooks<unknown, unknown>, Signature>;

export const policySignatures = {
  list: policy([caller]),
  get: policy([caller, record]),
  stats: policy([caller]),
  create: policy([caller, ["_values", "values"], context]),
  update: policy([caller, record, ["_changes", "changes"], context]),
  delete: policy([caller, record, context]),
} satisfies Record<keyof ResourcePolicies<unknown>, Signature>;

type Parameters = Signature["parameters"];

function hook(parameters: Parameters, body: readonly string[]): Signature {
  return { group: "hooks", parameters, isVoid: false, body };
}

function after(parameters: Parameters, what: string): Signature {
  const body = [`log.info({ id: record.id }, "${what}")`];
  return { group: "hooks", parameters, isVoid: true, body };
}

function policy(parameters: Parameters): Signature {
  const body = ["// Anything but true is answered with 403.", "return true"];
  return { group: "policies", parameters, isVoid: false, body };
}
