import type { Resource } from "../../../api/client/types.js";
import { ownTitleFields } from "../../../api/records/descriptors.js";
import type { ListAddress } from "../../../browser/address/list-address.js";
import { conditionParams } from "../../../kinds/filter/list-parameters.js";
import { whereOf } from "../../../kinds/filter/where.js";
import { type Columns, fieldsOf } from "../rows/columns.js";

/** What a stream watches for a list: its conditions, and the fields of its columns, without the search. */
export function watchedBy(resource: Resource, listing: ListAddress, columns: Columns): object {
  const params = conditionParams(resource, { q: "", conditions: listing.conditions });
  const { where } = whereOf(resource, params);
  const names = [...fieldsOf(columns), ...ownTitleFields(resource)].flatMap(({ name }) =>
    name === "id" ? [] : [name],
  );
  return {
    ...(Object.keys(where).length === 0 ? {} : { where }),
    fields: names.length === 0 ? ["id"] : [...new Set(names)],
  };
}
