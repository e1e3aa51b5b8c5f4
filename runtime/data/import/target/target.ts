import type { Session, Transaction } from "../../../db/index.js";
import type { FileRecord } from "../../read/source.js";
import type { cellValue } from "../../read/value.js";
import type { Columns, FileFields } from "../columns.js";
import type { Mistakes } from "../mistakes.js";
import type { ImportedAccounts } from "../request.js";
import type { ReadRow } from "../row-reader.js";
import type { StoreChunk } from "../store-chunk.js";

/** What rows become: records of a resource, or accounts. */
export interface ImportTarget {
  readonly fields: FileFields;
  /** The columns that read the cells of links whose targets are named. */
  readonly linked: ReadonlyMap<string, Parameters<typeof cellValue>[0]>;
  begin(session: Session, columns: Columns): Promise<Storing>;
}

/** How rows are stored. */
export interface Storing {
  /** Does the work in a transaction, with what stores rows in it. */
  within(work: (connection: Transaction, store: StoreChunk) => Promise<void>): Promise<void>;
  /** Runs what waits for a commit. */
  runAfter(): Promise<void>;
  /** Checks all rows beside the table and stores them by one statement; left out where that cannot be. */
  runStaged?(run: Run): Promise<void>;
  /** Takes each row that was created. */
  onCreated?(row: ReadRow): void;
  /** Of accounts: what the created ones have. */
  accounts?(): ImportedAccounts;
}

/** What a run works with. */
export interface Run extends Storing {
  readonly session: Session;
  readonly chunks: AsyncIterable<readonly FileRecord[]>;
  /** False for standard input, of which the next part may come late or never. */
  readonly isFile: boolean;
  read(record: FileRecord): ReadRow;
  readonly mistakes: Mistakes;
  readonly counts: Counts;
  readonly isDry: boolean;
  onRows(records: readonly FileRecord[]): void;
}

export interface Counts {
  rows: number;
  created: number;
  updated: number;
}
