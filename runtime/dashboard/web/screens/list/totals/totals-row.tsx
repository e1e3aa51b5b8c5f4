import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSession } from "../../../api/account/session.js";
import type { Resource } from "../../../api/client/types.js";
import { labelOf } from "../../../api/records/descriptors.js";
import { aggregateQuery } from "../../../api/records/queries.js";
import type { ListAddress } from "../../../browser/address/list-address.js";
import { kindOf } from "../../../kinds/kinds.js";
import { enTotals } from "../../../text/en/lists/totals.js";
import type { Columns } from "../rows/columns.js";
import { as } from "../rows/table-roles.js";
import { totalledIn, totalsQuery, totalText } from "./figures.js";
import "./totals.css";

const text = enTotals;

export interface TotalsRowProps {
  readonly resource: Resource;
  readonly listing: ListAddress;
  readonly columns: Columns;
  /** Whether rows start with a selection checkbox. */
  readonly hasBoxes: boolean;
}

/** The last row of a list: a total per numeric column, over all records that match the list. */
export function TotalsRow({ resource, listing, columns, hasBoxes }: TotalsRowProps) {
  const { user } = useSession();
  const total = listing.total ?? "sum";
  const fields = totalledIn(columns);
  const query = totalsQuery(resource, listing, { total, fields });
  const answer = useQuery({
    ...aggregateQuery(user.id, resource.name, query),
    enabled: fields.length > 0,
    placeholderData: keepPreviousData,
  });
  if (fields.length === 0) return null;
  const [group] = answer.data?.data ?? [];
  const waiting = answer.isError ? text.failed : "…";
  return (
    <tfoot {...as.rowgroup} aria-busy={answer.isPending || answer.isPlaceholderData}>
      <tr {...as.row} tabIndex={-1}>
        {hasBoxes ? <td {...as.cell} className="pick" /> : null}
        <th {...as.rowheader} scope="row">
          {text.totals[total]}
        </th>
        {columns.rest.map((field) =>
          fields.includes(field) ? (
            <td key={field.name} {...as.cell} className="end strong">
              <span className="narrow-only muted">{labelOf(field)} </span>
              {group === undefined ? waiting : totalText(resource, group, { total, field })}
            </td>
          ) : (
            <td
              key={field.name}
              {...as.cell}
              className={kindOf(field).isAtEnd ? "none end" : "none"}
            />
          ),
        )}
      </tr>
    </tfoot>
  );
}
