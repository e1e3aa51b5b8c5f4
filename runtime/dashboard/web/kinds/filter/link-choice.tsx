import { Boundary } from "../../parts/page/page.js";
import { screen } from "../../parts/page/screen.js";
import type { FilterChoiceProps } from "../kind.js";

const LinkFilter = screen<FilterChoiceProps>(() => import("./link-filter.js"), null);

/** The control of a filter by links, loaded when it is first used. */
export function LinkChoice(props: FilterChoiceProps) {
  return (
    <Boundary>
      <LinkFilter {...props} />
    </Boundary>
  );
}
