import type { Descriptor, FieldDescriptor } from "../../descriptor/descriptor.js";
import type { DescriptorIssue } from "../../descriptor/source.js";
import type { AccountField } from "../account-field.js";
import type { Link } from "../relations.js";

/** What `owner` describes, as far as it goes. */
export interface FoundTeam {
  readonly links: readonly Link[];
  /** Left out where it is not known. */
  readonly through?: Descriptor;
  /** Fields of that resource; null where none is known. */
  readonly group: string | null;
  readonly account: AccountField | null;
  /** Its enum field; null where it has none. */
  readonly role: FieldDescriptor | null;
  readonly issues: readonly DescriptorIssue[];
}
