import type { Path } from "../../runtime/values/yaml/position.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import type { DescriptorIssue } from "../descriptor/source.js";
import { defaultMaxLength } from "../kind/string.js";
import type { AccountType } from "../model/model.js";
import { accounts } from "./names/stored.js";
import { linksOf } from "./relations.js";

/** A field that identifies an account, whether valid or not. */
export interface AccountField {
  readonly from: Descriptor;
  readonly field: string;
  readonly type: AccountType;
  readonly required: boolean;
}

/**
 * Returns the field if it identifies an account: a link to `users` or, if the app handles sign-in itself, a string with
 * a caller's `accountId`. Otherwise null.
 */
export function accountField(from: Descriptor, name: string): AccountField | null {
  const link = linksOf(from).find(({ field, to }) => field === name && to === accounts);
  if (link !== undefined) return { from, field: name, type: "uuid", required: link.required };
  const text = from.fields.find(
    (field) =>
      field.name === name && field.kind?.namesAccount && field.options.computed === undefined,
  );
  if (text === undefined) return null;
  return { from, field: name, type: "text", required: text.options.required === true };
}

/** Maximum number of characters; longer ids would not fit into the indexes by account. */
const maxAccountLength = 255;

/** Returns the reason why a field cannot identify an account, for the descriptor's key at `path`; null if it can. */
export function accountFieldIssue(
  { from, field, type, required }: AccountField,
  path: Path,
  { mayBeEmpty = false } = {},
): DescriptorIssue | null {
  const named = `"${path.at(-1)}" names "${field}" of "${from.name}", which`;
  if (!required && !mayBeEmpty) {
    const message = `${named} is not required, so a record may have no owner`;
    return { path, at: "value", message, hint: `add required: true to "${field}"` };
  }
  if (from.fields.some(({ name, options }) => name === field && options.readOnly === true)) {
    const message = `${named} is read-only, so no write could set it`;
    return { path, at: "value", message, hint: `remove readOnly from "${field}"` };
  }
  if (type !== "text" || lengthOf(from, field) <= maxAccountLength) return null;
  const message = `${named} may be longer than the id of an account`;
  const hint = `write maxLength: ${maxAccountLength} at "${field}", or less`;
  return { path, at: "value", message, hint };
}

function lengthOf({ fields }: Descriptor, name: string): number {
  const { maxLength } = fields.find((field) => field.name === name)?.options ?? {};
  return typeof maxLength === "number" ? maxLength : defaultMaxLength;
}
