import type { Field } from "../../api/client/types.js";
import { labelOf } from "../../api/records/descriptors.js";
import { kindOf } from "../kinds.js";

/** The table headings of fields, aligned like their values. */
export function FieldHeads({ fields }: { readonly fields: readonly Field[] }) {
  return fields.map((field) => (
    <th key={field.name} scope="col" className={kindOf(field).isAtEnd ? "end" : undefined}>
      <bdi>{labelOf(field)}</bdi>
    </th>
  ));
}
