import { Boundary } from "../../parts/page/page.js";
import { screen } from "../../parts/page/screen.js";
import type { FilterChoiceProps } from "../kind.js";

const LinkFilter = screen<FilterChoiceProps>(() => import("./link-filter.js"), null);

/** The control that filters by linked records, loaded on first use. */
export function LinkChoice(props: FilterChoiceProps) {
  return (
    <Boundary>
      <LinkFilter {...props} />
    </Boundary>
  );
}
