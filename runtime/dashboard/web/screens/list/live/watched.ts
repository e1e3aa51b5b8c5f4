import type { Resource } from "../../../api/client/types.js";
import { ownTitleFields } from "../../../api/records/descriptors.js";
import type { ListAddress } from "../../../browser/address/list-address.js";
import { linkIn } from "../../../kinds/filter/linked-fields.js";
import { whereOf } from "../../../kinds/filter/where.js";
import { conditionParams } from "../../../kinds/query/list-parameters.js";
import { type Columns, fieldsOf } from "../rows/columns.js";

/**
 * What a stream watches for a list: the conditions on its own fields, and the fields of its columns. A stream supports
 * neither the search nor fields of linked records.
 */
export function watchedBy(resource: Resource, listing: ListAddress, columns: Columns): object {
  const conditions = listing.conditions.filter(({ field }) => linkIn(field) === null);
  const params = conditionParams(resource, { q: "", conditions });
  const { where } = whereOf(resource, params);
  const names = [...fieldsOf(columns), ...ownTitleFields(resource)].flatMap(({ name }) =>
    name === "id" ? [] : [name],
  );
  return {
    ...(Object.keys(where).length === 0 ? {} : { where }),
    fields: names.length === 0 ? ["id"] : [...new Set(names)],
  };
}
