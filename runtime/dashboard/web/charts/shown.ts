import type { Measure } from "../api/numbers.js";
import type { Resource } from "../api/types.js";
import type { PanelProps } from "../parts/panel.js";

/** What a chart of one measure is about, and how its panel is headed. */
export interface ShownProps extends Pick<PanelProps, "title" | "heads" | "tools"> {
  readonly resource: Resource;
  readonly measure: Measure;
}
