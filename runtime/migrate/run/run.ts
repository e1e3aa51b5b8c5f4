import type { Queryable } from "../../db/index.js";
import type { MigrationName } from "../files/files.js";
import type { Step } from "../files/script.js";
import type { Direction } from "../history/steps.js";
import type { OnWarning } from "../session/connect.js";

/** A step that is about to be done. */
export interface MigrationProgress extends MigrationName {
  /** The file, as messages name it. */
  readonly path: string;
  /** Counted from 1; of `steps`. */
  readonly step: number;
  readonly steps: number;
  /** `transaction`, `index products__name__unique`, `batches of products`. */
  readonly what: string;
}

/** What applying and undoing migrations takes, for as long as the lock is held. */
export interface Run {
  /** The connection that holds the lock of migrations. */
  readonly db: Queryable;
  /** The process of PostgreSQL behind it. */
  readonly pid: number;
  /** Does something over a second connection, which is closed afterwards. */
  readonly connect: <T>(work: (db: Queryable) => Promise<T>) => Promise<T>;
  /** How long a step tries to get a lock, in milliseconds. */
  readonly lockRetryMs: number;
  readonly onWarning: OnWarning;
  readonly onProgress: (progress: MigrationProgress) => void;
}

/** One step on its way. */
export interface StepRun<Kind extends Step["kind"] = Step["kind"]> {
  readonly run: Run;
  readonly step: Extract<Step, { kind: Kind }>;
  /** Of its file, for messages. */
  readonly direction: Direction;
  /** File and line, for messages. */
  readonly location: string;
  /** How far the batches of an earlier run came; null at the beginning. */
  readonly position: string | null;
  /** Notes that the step is done, and with the last step that the file is; inside a transaction. */
  readonly recordDone: () => Promise<void>;
  /** Notes up to which id the batches are done; in the batch's transaction. */
  readonly recordPosition: (id: string) => Promise<void>;
}
