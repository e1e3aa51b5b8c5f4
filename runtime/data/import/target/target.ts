import type { Session, Transaction } from "../../../db/index.js";
import type { FileRecord } from "../../read/source.js";
import type { CellColumn } from "../../read/value.js";
import type { Columns, FileFields } from "../columns.js";
import type { Mistakes } from "../mistakes.js";
import type { ImportedAccounts } from "../request.js";
import type { ReadRow } from "../row-reader.js";
import type { StoreChunk } from "../store-chunk.js";

/** The target of rows: records of a resource, or accounts. */
export interface ImportTarget {
  readonly fields: FileFields;
  /** The columns by which the cells of links are parsed, for links that refer to records by name. */
  readonly linked: ReadonlyMap<string, CellColumn>;
  begin(session: Session, columns: Columns): Promise<Storing>;
}

/** How rows are stored. */
export interface Storing {
  /** Runs a transaction and passes it a function that stores rows. */
  within(work: (connection: Transaction, store: StoreChunk) => Promise<void>): Promise<void>;
  /** Runs the work that waits for a commit. */
  runAfter(): Promise<void>;
  /** Checks all rows in a staging table and stores them by one statement; omitted if that is impossible. */
  runStaged?(run: Run): Promise<void>;
  /** Called with each created row. */
  onCreated?(row: ReadRow): void;
  /** For accounts: a summary of the created ones. */
  accounts?(): ImportedAccounts;
}

export interface Run extends Storing {
  readonly session: Session;
  readonly chunks: AsyncIterable<readonly FileRecord[]>;
  /** False for standard input, whose next part may come late or never. */
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
