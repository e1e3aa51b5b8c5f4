import type { Queryable } from "../../db/index.js";
import type { MigrationFile, MigrationName } from "../files/files.js";

/** Whether a file is applied or undone. */
export type Direction = "up" | "down";

/** A file to apply or undo. */
export interface Task {
  readonly file: MigrationFile;
  readonly direction: Direction;
}

/** A completed or partly done step of an unfinished file. */
export interface StepRow extends MigrationName {
  readonly direction: Direction;
  /** Counted from 1. */
  readonly step: number;
  /** The step's checksum when it was started. */
  readonly checksum: string;
  /** The id up to which the step's batches are done; null before the first batch, and for steps without batches. */
  readonly position: string | null;
  readonly done: boolean;
  /** Whether servers built before this file cannot work with the schema after it. */
  readonly breaking: boolean;
}

export interface StepRecord extends Task {
  readonly step: number;
  readonly checksum: string;
  readonly breaking: boolean;
}

/** Reads the steps of every unfinished file, in order. */
export async function readSteps(db: Queryable): Promise<readonly StepRow[]> {
  const [found] = await db.query<{ exists: boolean }>(
    "select to_regclass('service.migration_steps') is not null as exists",
  );
  if (!found?.exists) return [];
  return db.query<StepRow>(
    `select source, name, direction, step, checksum, position, done_at is not null as done, breaking
     from service.migration_steps
     order by source, name, direction, step`,
  );
}

/** Records a step as done; must be called in the step's transaction if it has one. */
export function recordDone(db: Queryable, record: StepRecord): Promise<unknown> {
  return recordStep(db, record, { position: null, done: true });
}

/** Records the id up to which a step's batches are done; must be called in the batch's transaction. */
export function recordPosition(
  db: Queryable,
  record: StepRecord,
  position: string,
): Promise<unknown> {
  return recordStep(db, record, { position, done: false });
}

function recordStep(
  db: Queryable,
  { file, direction, step, checksum, breaking }: StepRecord,
  { position, done }: Pick<StepRow, "position" | "done">,
): Promise<unknown> {
  return db.query(
    `insert into service.migration_steps
       (source, name, direction, step, checksum, breaking, position, done_at)
     values ($1, $2, $3, $4, $5, $6, $7, case when $8::boolean then now() end)
     on conflict (source, name, direction, step) do update
     set checksum = excluded.checksum, breaking = excluded.breaking,
       position = excluded.position, done_at = excluded.done_at`,
    [file.source, file.name, direction, step, checksum, breaking, position, done],
  );
}

/** Deletes the steps of a completed file; must be called in the transaction that completes it. */
export async function deleteSteps(db: Queryable, { source, name }: MigrationName): Promise<void> {
  await db.query("delete from service.migration_steps where source = $1 and name = $2", [
    source,
    name,
  ]);
}
