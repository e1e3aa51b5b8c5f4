import { screen } from "../../../parts/page/screen.js";
import { SkeletonRows } from "../../../parts/page/skeleton-rows.js";
import { Rows, type RowsProps } from "../rows/rows.js";

const Cards = screen<RowsProps>(() => import("../gallery/cards.js"), <SkeletonRows columns={3} />);

/** The records of a page, in a table or a gallery. */
export function Records(props: RowsProps) {
  return props.shown.gallery === null ? <Rows {...props} /> : <Cards {...props} />;
}
