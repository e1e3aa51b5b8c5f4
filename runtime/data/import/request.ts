import { z } from "zod";
import type { Environment } from "../../config/index.js";
import { decimals, encodings } from "../../values/csv/options.js";
import { formats } from "../../values/files/record-format.js";

/** Set by `service import`: what the built app is to import instead of serving. */
const variable = "SERVICE_IMPORT";

const requestShape = z.object({
  resource: z.string(),
  /** Absolute; null: standard input. */
  path: z.string().nullable(),
  format: z.enum(formats),
  /** The field of each column; empty: the column is skipped. */
  map: z.record(z.string(), z.string()),
  /** The unique field of the target by which a link's cells name a record. */
  link: z.record(z.string(), z.string()),
  /** A unique field, `id`, or fields that are unique together, joined by `+`. */
  upsert: z.string().nullable(),
  onError: z.enum(["stop", "skip"]),
  /** Absolute; where refused rows go. */
  errors: z.string().nullable(),
  /** Null where neither `--resume` nor `--no-resume` is given. */
  resume: z.boolean().nullable(),
  isDry: z.boolean(),
  isFromSpreadsheet: z.boolean(),
  encoding: z.enum(encodings),
  decimal: z.enum(decimals),
  /** `DD.MM.YYYY`; null: as in the API. */
  dateFormat: z.string().nullable(),
  /** The zone of times without one; null: they are mistakes. */
  timezone: z.string().nullable(),
  /** Cells that are empty. */
  nulls: z.array(z.string()),
  /** By field, cells that stand for other values. */
  values: z.record(z.string(), z.record(z.string(), z.string())),
  /** By field, the value of all records, as a cell has it. */
  set: z.record(z.string(), z.string()),
  /** By field, the columns whose cells it has, with blanks between them. */
  join: z.record(z.string(), z.array(z.string())),
  /** The file descriptor to which events are written. */
  events: z.number(),
  /** The file descriptor of a pipe that ends when the command does, even if killed; null: no command waits. */
  command: z.number().nullable(),
});

/** What `service import` asks of the app. */
export type ImportRequest = z.infer<typeof requestShape>;

/** What is to be imported; null for a process that is to do something else. */
export function importWanted(environment: Environment): ImportRequest | null {
  const written = environment[variable];
  return written === undefined ? null : requestShape.parse(JSON.parse(written));
}

/** One mistake. */
export interface Mistake {
  /** 0: before any row. */
  readonly row: number;
  readonly line: number | null;
  /** The file's; null: the whole row. */
  readonly column: string | null;
  readonly message: string;
}

/** The result for the rows. */
export interface ImportResult {
  /** The first row of this run. */
  readonly from: number;
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  /** Rows. */
  readonly refused: number;
  /** The first hundred. */
  readonly errors: readonly Mistake[];
  /** How many more there are. */
  readonly more: number;
  /** Whether the file of refused rows was written. */
  readonly hasErrorsFile: boolean;
  /** Of accounts only. */
  readonly accounts?: ImportedAccounts;
}

/** Of the accounts that were created. */
export interface ImportedAccounts {
  readonly withoutPassword: number;
  /** How many have a hash of each kind. */
  readonly hashes: Readonly<Record<string, number>>;
}

/** What the app reports to the command, as one line of JSON each. */
export type ImportEvent =
  | { readonly kind: "progress"; readonly rows: number; readonly offset: number }
  /** Why the import cannot begin; the file was not opened. */
  | { readonly kind: "refused"; readonly message: string; readonly hint: string | null }
  /** Why it ended early, and what was done before. */
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly hint: string | null;
      readonly result: ImportResult;
    }
  | { readonly kind: "done"; readonly result: ImportResult; readonly isWrong: boolean };
