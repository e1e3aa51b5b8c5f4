import { z } from "zod";
import type { Environment } from "../../config/index.js";
import { decimals, encodings } from "../../values/csv/options.js";
import { formats } from "../../values/files/record-format.js";

/** Set by `service import`: the import that the built app performs instead of serving. */
const variable = "SERVICE_IMPORT";

const requestShape = z.object({
  resource: z.string(),
  /** An absolute path; null for standard input. */
  path: z.string().nullable(),
  format: z.enum(formats),
  /** Field by column; an empty field skips the column. */
  map: z.record(z.string(), z.string()),
  /** By link: the unique field of the target that the link's cells contain. */
  link: z.record(z.string(), z.string()),
  /** A unique field, `id`, or fields that are unique in combination, joined by `+`. */
  upsert: z.string().nullable(),
  onError: z.enum(["stop", "skip"]),
  /** The absolute path of the file for refused rows. */
  errors: z.string().nullable(),
  /** Null if neither `--resume` nor `--no-resume` is given. */
  resume: z.boolean().nullable(),
  isDry: z.boolean(),
  isFromSpreadsheet: z.boolean(),
  encoding: z.enum(encodings),
  decimal: z.enum(decimals),
  /** `DD.MM.YYYY`; null for the API's format. */
  dateFormat: z.string().nullable(),
  /** The time zone for times without one; null to report them as mistakes. */
  timezone: z.string().nullable(),
  /** Cells that represent null. */
  nulls: z.array(z.string()),
  /** By field, other values for certain cells. */
  values: z.record(z.string(), z.record(z.string(), z.string())),
  /** By field: the value for all records, written as a cell. */
  set: z.record(z.string(), z.string()),
  /** By field, the columns whose cells are joined with spaces. */
  join: z.record(z.string(), z.array(z.string())),
  /** The file descriptor to which events are written. */
  events: z.number(),
  /**
   * The file descriptor of a pipe that closes when the command ends, even if killed; null without a
   * waiting command.
   */
  command: z.number().nullable(),
});

/** The request of `service import` to the app. */
export type ImportRequest = z.infer<typeof requestShape>;

/** Returns the requested import; null if the process has another purpose. */
export function importWanted(environment: Environment): ImportRequest | null {
  const written = environment[variable];
  return written === undefined ? null : requestShape.parse(JSON.parse(written));
}

export interface Mistake {
  /** The row number; 0 for mistakes before the first row. */
  readonly row: number;
  readonly line: number | null;
  /** The key of a row of a table. */
  readonly id?: string;
  /** A column of the file; null for the whole row. */
  readonly column: string | null;
  readonly message: string;
}

export interface ImportResult {
  /** The first row of this run. */
  readonly from: number;
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly refused: number;
  /** The first hundred mistakes. */
  readonly errors: readonly Mistake[];
  /** The number of further mistakes. */
  readonly more: number;
  /** Whether the file of refused rows was written. */
  readonly hasErrorsFile: boolean;
  /** For accounts only. */
  readonly accounts?: ImportedAccounts;
}

/** About the created accounts. */
export interface ImportedAccounts {
  readonly withoutPassword: number;
  /** The number of accounts by the kind of their password hash. */
  readonly hashes: Readonly<Record<string, number>>;
  /** For an adopted table: the number of accounts without a password whose hash cannot be verified here. */
  readonly otherHashes?: number;
}

/** The app's reports to the command, each one line of JSON. */
export type ImportEvent =
  | { readonly kind: "progress"; readonly rows: number; readonly offset: number }
  /** Why the import cannot begin; the file was not opened. */
  | { readonly kind: "refused"; readonly message: string; readonly hint: string | null }
  /** Why the import ended early, and what was stored before. */
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly hint: string | null;
      readonly result: ImportResult;
    }
  | { readonly kind: "done"; readonly result: ImportResult; readonly isWrong: boolean };
