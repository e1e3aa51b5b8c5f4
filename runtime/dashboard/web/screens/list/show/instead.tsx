import type { ListAddress } from "../../../browser/address/list-address.js";
import { Boundary } from "../../../parts/page/page.js";
import { screen } from "../../../parts/page/screen.js";
import { SkeletonRows } from "../../../parts/page/skeleton-rows.js";
import type { GroupsProps } from "../totals/foot.js";

const Groups = screen<GroupsProps>(
  () => import("../totals/groups.js"),
  <SkeletonRows columns={3} />,
);
const Calendar = screen<GroupsProps>(
  () => import("../calendar/calendar.js"),
  <SkeletonRows columns={7} />,
);

/** Whether a list shows the records of a page, in a table or a gallery. */
export function hasRows({ by, show }: ListAddress): boolean {
  return show === null ? by.length === 0 : show.as === "gallery";
}

/** What a list shows instead of a page of records: a calendar or groups. */
export function Instead(props: GroupsProps) {
  const { show } = props.state.listing;
  return (
    <Boundary>{show?.as === "calendar" ? <Calendar {...props} /> : <Groups {...props} />}</Boundary>
  );
}
