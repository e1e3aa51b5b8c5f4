import type { Resource } from "../api/client/types.js";
import type { Measure } from "../api/records/numbers.js";
import type { PanelProps } from "../parts/page/panel.js";

/** What a chart of one measure is about, and how its panel is headed. */
export interface ShownProps extends Pick<PanelProps, "title" | "heads" | "tools"> {
  readonly resource: Resource;
  readonly measure: Measure;
}
