import type { Resource } from "../api/client/types.js";
import type { Measure } from "../api/records/numbers.js";
import type { PanelProps } from "../parts/page/panel.js";

/** The measure of a chart, and the heading of its panel. */
export interface ShownProps extends Pick<PanelProps, "title" | "heads" | "tools" | "action"> {
  readonly resource: Resource;
  readonly measure: Measure;
}
