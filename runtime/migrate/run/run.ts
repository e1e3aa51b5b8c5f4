import type { Queryable } from "../../db/index.js";
import type { MigrationFile, MigrationName } from "../files/files.js";
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
  readonly patienceMs: number;
  readonly onWarning: OnWarning;
  readonly onProgress: (progress: MigrationProgress) => void;
}

/** Whether a file is applied or undone. */
export type Direction = "up" | "down";

/** A file on its way. */
export interface Task {
  readonly file: MigrationFile;
  readonly direction: Direction;
}
