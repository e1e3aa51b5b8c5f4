import type { Step } from "../files/script.js";
import type { Direction, Run } from "./run.js";

/** One step on its way. */
export interface StepRun<Kind extends Step["kind"] = Step["kind"]> {
  readonly run: Run;
  readonly step: Extract<Step, { kind: Kind }>;
  /** Of its file, for messages. */
  readonly direction: Direction;
  /** File and line, for messages. */
  readonly place: string;
  /** How far the batches of an earlier run came; null at the beginning. */
  readonly position: string | null;
  /** Notes that the step is done, and with the last step that the file is; inside a transaction. */
  readonly note: () => Promise<void>;
  /** Notes up to which id the batches are done; in the batch's transaction. */
  readonly notePosition: (id: string) => Promise<void>;
}
