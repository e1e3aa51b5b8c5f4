import type { Queryable } from "../../db/index.js";
import type { MigrationName } from "../files/files.js";
import type { Step } from "../files/script.js";
import type { Direction } from "../history/steps.js";
import type { OnWarning } from "../session/connect.js";

/** A step that is about to run. */
export interface MigrationProgress extends MigrationName {
  /** The file's path, for messages. */
  readonly path: string;
  /** The step's number from 1 to `steps`. */
  readonly step: number;
  readonly steps: number;
  /** `transaction`, `index products__name__unique` or `batches of products`. */
  readonly what: string;
}

/** The context for applying and undoing migrations while the lock is held. */
export interface Run {
  /** The connection that holds the migration lock. */
  readonly db: Queryable;
  /** The PostgreSQL process id of that connection. */
  readonly pid: number;
  /** Runs the work on a second connection, which is closed afterwards. */
  readonly connect: <T>(work: (db: Queryable) => Promise<T>) => Promise<T>;
  /** How long a step retries to acquire a lock, in milliseconds. */
  readonly lockRetryMs: number;
  /** Fields whose stored values may violate their JSON Schema, such as `products.address`. */
  readonly allowInvalid: readonly string[];
  readonly onWarning: OnWarning;
  readonly onProgress: (progress: MigrationProgress) => void;
}

export interface StepRun<Kind extends Step["kind"] = Step["kind"]> {
  readonly run: Run;
  readonly step: Extract<Step, { kind: Kind }>;
  /** The direction of the step's file, for messages. */
  readonly direction: Direction;
  /** File and line, for messages. */
  readonly location: string;
  /** The id up to which an earlier run completed the batches; null if none. */
  readonly position: string | null;
  /** Records the step as done and, after the last step, the file as well; must be called in a transaction. */
  readonly recordDone: () => Promise<void>;
  /** Records the id up to which the batches are done; must be called in the batch's transaction. */
  readonly recordPosition: (id: string) => Promise<void>;
}
