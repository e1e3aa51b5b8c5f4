import type { Descriptor, FieldDescriptor } from "../../descriptor/descriptor.js";
import type { DescriptorIssue } from "../../descriptor/source.js";
import type { AccountField } from "../account-field.js";
import type { Link } from "../relations.js";

/** The properties of `owner` that could be resolved. */
export interface FoundTeam {
  readonly links: readonly Link[];
  /** Omitted if unknown. */
  readonly through?: Descriptor;
  /** Fields of the resource in `through`; null if unknown. */
  readonly group: string | null;
  readonly account: AccountField | null;
  /** The enum field with the members' roles; null if there is none. */
  readonly role: FieldDescriptor | null;
  readonly issues: readonly DescriptorIssue[];
}
