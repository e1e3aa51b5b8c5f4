import type { ResourceHooks, ResourcePolicies } from "../../../../runtime/own-code/index.js";

/** A stub without effect: its parameters (unused ones with an underscore) and the lines of its body. */
export type Signature = readonly [parameters: string, ...body: readonly string[]];

/** A comment, because the stub does not use `refusal`, whose import would be unused. */
const refuse =
  '// To refuse: throw refusal(409, "Why not"); import it from "service-runtime/errors".';
const allow = [
  "// Returning anything but true refuses the request with 403.",
  "return true;",
] as const;

export const hooks = {
  beforeCreate: ["values, _context", refuse, "return values;"],
  beforeUpdate: ["changes, _record, _context", refuse, "return changes;"],
  beforeDelete: ["_record, _context", refuse],
  beforeRestore: ["_record, _context", refuse],
  afterCreate: ["record, { log }", 'log.info({ id: record.id }, "Created");'],
  afterUpdate: ["record, _former, { log }", 'log.info({ id: record.id }, "Updated");'],
  afterDelete: ["record, { log }", 'log.info({ id: record.id }, "Deleted");'],
} as const satisfies Record<keyof ResourceHooks<unknown, unknown>, Signature>;

export const policies = {
  list: ["_caller", ...allow],
  get: ["_caller, _record", ...allow],
  stats: ["_caller", ...allow],
  create: ["_caller, _values, _context", ...allow],
  update: ["_caller, _record, _changes, _context", ...allow],
  delete: ["_caller, _record, _context", ...allow],
} as const satisfies Record<keyof ResourcePolicies<unknown>, Signature>;
