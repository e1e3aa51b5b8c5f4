import { recordsFile } from "../../data/index.js";
import { type Session, withSession } from "../../db/index.js";
import {
  allRows,
  type Chosen,
  type FileSelect,
  selectForFile,
  type Table,
  tallied,
  WrongChoice,
} from "../../resource/index.js";
import { type Format, formatOfName } from "../../values/files/record-format.js";
import { parseJson } from "../../values/json.js";
import { noteInexact } from "../../values/stored-json/inexact.js";
import { withAppServices } from "../app/services.js";
import { standardOutput, wholeFile } from "../destination.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { startRate } from "../progress.js";
import { count, hasNoReader, isOutputLost, sayJson, sayProgress } from "../report.js";
import { tableToRead } from "./tables.js";

export interface ExportOptions {
  readonly format?: Format;
  readonly output?: string;
  readonly where?: string;
  readonly fields?: string;
  readonly spreadsheet?: true;
  readonly json?: true;
}

/** Writes the records of a resource in the order of their ids, from one snapshot. */
export async function exportRecords(
  root: string,
  resource: string,
  options: ExportOptions,
): Promise<ExitCode> {
  const { output = "-", spreadsheet, json } = options;
  const file = output === "-" ? null : output;
  const format = options.format ?? formatOfName(output) ?? "csv";
  if (workbook.test(output)) {
    refuseUsage("A workbook cannot be written", "name the file .csv, and add --spreadsheet");
  }
  if (spreadsheet && format !== "csv") refuseUsage("--spreadsheet is for CSV only");
  if (json && file === null) refuseUsage("--json needs --output <file>");
  const where = options.where === undefined ? undefined : readWhereOption(options.where);
  const fields = options.fields?.split(",") ?? null;
  return withAppServices(root, async ({ config }) => {
    const table = tableToRead(root, resource);
    const select = selectOf(table, { fields, where });
    const destination = file === null ? standardOutput() : wholeFile(file);
    const rate = startRate("records");
    let rows = 0;
    try {
      await withSession(config.database, async (session) => {
        await session.query("begin isolation level repeatable read");
        const total = select.before.length === 0 ? await totalOf(session, table) : null;
        for (const { text, parameters } of select.before) await session.query(text, parameters);
        const copied = session.copyOut(format === "csv" ? select.cells : select.records);
        const form = { format, keys: select.keys, isForSpreadsheet: spreadsheet === true };
        const text = recordsFile(form, copied, (done) => {
          rows = done;
          rate.show(done, total === null ? null : done / total);
        });
        await destination.write(text);
        await session.query("commit");
      });
    } catch (error) {
      if (file === null && hasNoReader(error)) return exit.done;
      if (file === null && (await isOutputLost())) return exit.mustChange;
      throw error;
    } finally {
      rate.end();
    }
    const to = file === null ? "" : ` to ${file}`;
    sayProgress(`${count(rows, "record")} of ${resource} exported${to}`);
    if (json) sayJson({ resource, format, rows, file });
    return exit.done;
  });
}

/** Names of workbook files: the programs that open them refuse files that contain CSV. */
const workbook = /\.(?:xls[xmb]?|ods|numbers)$/i;

function refuseUsage(message: string, hint: string | null = null): never {
  throw new CommandRefused(message, hint, exit.wrongUsage);
}

function readWhereOption(written: string): unknown {
  const parsed = parseJson(written);
  if (parsed.kind === "value") {
    noteInexact(parsed.value, written);
    return parsed.value;
  }
  return refuseUsage(
    `--where ${parsed.kind === "deep" ? "is too deep" : 'must be JSON: {"status":"live"}'}`,
  );
}

function selectOf(table: Table<never>, chosen: Chosen): FileSelect {
  try {
    return selectForFile(table, chosen);
  } catch (error) {
    if (error instanceof WrongChoice) throw new CommandRefused(error.message, error.hint);
    throw error;
  }
}

/** Returns the number of records, from the tally. */
async function totalOf(session: Session, table: Table<never>): Promise<number> {
  const [row] = await session.query<{ total: string }>(
    `select ${tallied(table, allRows)} as total`,
  );
  return Number(row?.total ?? 0);
}
