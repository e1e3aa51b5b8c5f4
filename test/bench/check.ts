import { middle } from "./figure.js";
import type { Stage } from "./stage.js";
import { heading, line, metText } from "./table.js";

/** Targets that are no ratios to the references; what belongs together is measured together. */
export interface Check {
  readonly name: string;
  readonly run: (stage: Stage) => Promise<readonly Result[]>;
}

/** One row: what was found, and what had to be found. */
export interface Result {
  readonly name: string;
  readonly measured: string;
  readonly target: string;
  readonly met: boolean;
}

/** Times of several tries in milliseconds, whose middle may be at most so long. */
export function resultOfTimes(name: string, times: readonly number[], most: number): Result {
  const measured = `${middle(times).toFixed(0)} ms, at worst ${Math.max(...times).toFixed(0)}`;
  return { name, measured, target: `≤ ${most} ms`, met: middle(times) <= most };
}

export const checkHeading = heading("Check", "measured", "target", "met");

export function checkRow({ name, measured, target, met }: Result): string {
  return line(name, measured, target, metText(met));
}
