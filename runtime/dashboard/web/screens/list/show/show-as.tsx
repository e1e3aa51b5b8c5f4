import { Link } from "wouter";
import type { Resource } from "../../../api/client/types.js";
import { listPath } from "../../../api/records/descriptors.js";
import { type ListAddress, printList, type Show } from "../../../browser/address/list-address.js";
import { dateFields, pictureFields } from "../../../kinds/query/list-shows.js";
import { enShows } from "../../../text/en/lists/shows.js";
import "./show-as.css";

const text = enShows;

export interface ShowAsProps {
  readonly resource: Resource;
  readonly listing: ListAddress;
  readonly onChosen?: () => void;
}

/** Links to the list as a table, a calendar and a gallery; nothing if it can only be a table. */
export function ShowAs({ resource, listing, onChosen }: ShowAsProps) {
  const ways = waysOf(resource);
  if (ways.length === 0) return null;
  return (
    <nav className="show-as" aria-label={text.label}>
      {[null, ...ways].map((show) => (
        <Link
          key={show?.as ?? "table"}
          href={pathOf(resource, listing, show)}
          aria-current={show?.as === listing.show?.as ? "true" : undefined}
          onClick={onChosen}
        >
          {text[show?.as ?? "table"]}
        </Link>
      ))}
    </nav>
  );
}

function waysOf(resource: Resource): readonly Show[] {
  const [date] = dateFields(resource);
  const [picture] = pictureFields(resource);
  return [
    ...(date === undefined ? [] : [{ as: "calendar", field: date.name } as const]),
    ...(picture === undefined ? [] : [{ as: "gallery", field: picture.name } as const]),
  ];
}

/** The address of the list in another form, with its search and conditions. */
function pathOf(resource: Resource, listing: ListAddress, show: Show | null): string {
  const isCurrent = show?.as === listing.show?.as;
  const query = printList(isCurrent ? listing : { ...listing, show, by: [], month: null, page: 1 });
  return query === "" ? listPath(resource) : `${listPath(resource)}?${query}`;
}
