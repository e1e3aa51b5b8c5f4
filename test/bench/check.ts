import type { Stage } from "./stage.js";
import { heading, line, metText } from "./table.js";

/** A target that is not a ratio to the references: what it says, and how it is measured. */
export interface Check {
  readonly name: string;
  readonly target: string;
  readonly run: (stage: Stage) => Promise<Result>;
}

export interface Result {
  readonly measured: string;
  readonly met: boolean;
}

export const checkHeading = heading("Check", "measured", "target", "met");

export function checkRow({ name, target }: Check, { measured, met }: Result): string {
  return line(name, measured, target, metText(met));
}
