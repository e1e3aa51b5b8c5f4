import { closeSync, openSync, statSync } from "node:fs";
import { resolve } from "node:path";
import {
  type ImportEvent,
  type ImportRequest,
  type ImportResult,
  importAccounts,
  type Mistake,
  type PeopleTable,
} from "../../data/index.js";
import { type Format, formatOfName } from "../../values/files/record-format.js";
import { isWorkbookName, workbookHint } from "../../values/files/workbook.js";
import { askBuiltApp } from "../app/built-app.js";
import { withAppServices } from "../app/services.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { startRate } from "../progress.js";
import { count, fail, passOnError, sayAbout, sayJson, sayProgress } from "../report.js";
import { csvOptionOf, type NotationOptions, readNotation } from "./notation.js";
import { fileOptionOf, peopleOf } from "./people.js";

export interface ImportOptions extends NotationOptions {
  readonly format?: Format;
  readonly map?: Readonly<Record<string, string>>;
  readonly link?: Readonly<Record<string, string>>;
  readonly upsert?: string;
  readonly onError: "stop" | "skip";
  readonly errors?: string;
  readonly from?: string;
  readonly resume?: boolean;
  readonly dryRun?: true;
  readonly spreadsheet?: true;
  readonly json?: true;
}

interface CommandOptions extends ImportOptions {
  readonly resource: string;
  readonly file: string;
}

interface PeopleOptions extends ImportOptions {
  /** The resource that describes the people. */
  readonly from: string;
}

type AppRequest = Omit<ImportRequest, "events" | "command">;

/** Stores the records of a file with the built app. */
export async function importRecords(root: string, given: CommandOptions): Promise<ExitCode> {
  const { resource, file, json } = given;
  const format = formatOf(given);
  const errorsFile = errorsFileOf(given, format);
  checkUsage(given, format);
  const request: AppRequest = {
    resource,
    path: file === "-" ? null : resolve(file),
    format,
    map: { ...given.map },
    link: { ...given.link },
    upsert: given.upsert ?? null,
    onError: given.onError,
    errors: errorsFile === null ? null : resolve(errorsFile),
    resume: given.resume ?? null,
    isDry: given.dryRun === true,
    isFromSpreadsheet: given.spreadsheet === true,
    ...readNotation(given),
  };
  const bytes = file === "-" ? null : sizeOf(file);
  const people = null;
  return finish(
    resource === "users"
      ? await endOfUsers(root, request, { bytes, people })
      : await endOf(root, request, bytes),
    request,
    { errorsFile, json },
  );
}

/** Gives accounts to the people of a resource, whose table links to accounts. */
export async function importPeople(root: string, given: PeopleOptions): Promise<ExitCode> {
  const { from, json, errors } = given;
  const option = fileOptionOf(given);
  if (option !== null) refuseUsage(`--${option} is for files only`);
  if (errors !== undefined && given.onError === "stop")
    refuseUsage("--errors needs --on-error skip");
  const people = peopleOf(root, from);
  const request: AppRequest = {
    ...{ resource: "users", path: null, format: "csv", map: { ...given.map }, link: {} },
    ...{ upsert: null, onError: given.onError, resume: null },
    errors: errors === undefined ? null : resolve(errors),
    isDry: given.dryRun === true,
    isFromSpreadsheet: false,
    ...readNotation(given),
  };
  const end = await endOfUsers(root, request, { bytes: null, people });
  return finish(end, request, { errorsFile: errors ?? null, json });
}

interface Finishing {
  readonly errorsFile: string | null;
  readonly json: true | undefined;
}

function finish(end: End, request: AppRequest, { errorsFile, json }: Finishing): ExitCode {
  if (end.kind === "refused") throw new CommandRefused(end.message, end.hint);
  const { result } = end;
  report(result, request);
  if (end.kind === "failed") fail(end.message, end.hint);
  const { hasErrorsFile, accounts, ...counts } = result;
  const all = {
    resource: request.resource,
    ...counts,
    errorsFile: hasErrorsFile ? errorsFile : null,
  };
  if (json) sayJson({ ...all, ...accounts });
  return end.kind === "failed" || end.isWrong ? exit.mustChange : exit.done;
}

type End = Exclude<ImportEvent, { kind: "progress" }>;

/** Shows the progress until the app has finished; `bytes` is the size of the file, if known. */
async function endOf(root: string, request: AppRequest, bytes: number | null): Promise<End> {
  const rate = startRate("rows");
  try {
    const end = await askBuiltApp<ImportEvent>(root, {
      variable: "SERVICE_IMPORT",
      name: "the import",
      request,
      ...(request.path === null && { readsInput: true }),
      onOutput: passOnError,
      onProgress(event) {
        if (event.kind !== "progress") return;
        rate.show(event.rows, bytes ? event.offset / bytes : null);
      },
    });
    if (end.kind === "progress") throw new Error("An import does not end with its progress");
    return end;
  } finally {
    rate.end();
  }
}

/** Imports accounts in this process: no hook runs, so the built app is not needed. */
async function endOfUsers(
  root: string,
  request: AppRequest,
  { bytes, people }: { readonly bytes: number | null; readonly people: PeopleTable | null },
): Promise<End> {
  const rate = startRate("accounts");
  let end: End | null = null;
  try {
    await withAppServices(root, (services) =>
      importAccounts({ ...services, people }, request, (event) => {
        if (event.kind === "progress") rate.show(event.rows, bytes ? event.offset / bytes : null);
        else end = event;
      }),
    );
  } finally {
    rate.end();
  }
  if (end === null) throw new Error("An import must report its end");
  return end;
}

function formatOf({ format, file }: CommandOptions): Format {
  const found = format ?? formatOfName(file);
  if (found !== null) return found;
  if (isWorkbookName(file)) return refuseUsage(`${file} is a workbook`, workbookHint);
  return refuseUsage(`The format of ${file} is not known`, "name it: --format csv, json or ndjson");
}

/** Returns the file for refused rows; null if they are not written. */
function errorsFileOf(
  { errors, file, onError, dryRun }: CommandOptions,
  format: Format,
): string | null {
  if (onError === "stop") {
    return errors === undefined ? null : refuseUsage("--errors needs --on-error skip");
  }
  if (errors !== undefined) return errors;
  if (file !== "-") return `${file}.errors.${format === "csv" ? "csv" : "ndjson"}`;
  return dryRun ? null : refuseUsage("--on-error skip needs --errors <file> for standard input");
}

function checkUsage(given: CommandOptions, format: Format): void {
  const { resource, link, upsert, resume, onError, file, spreadsheet } = given;
  if (resource === "users" && link !== undefined) refuseUsage("Accounts have no links");
  if (resource === "users" && upsert !== undefined) {
    refuseUsage("Accounts are only created: --upsert is for records");
  }
  if (spreadsheet && format !== "csv") refuseUsage("--spreadsheet is for CSV only");
  const ofCsv = format === "csv" ? null : csvOptionOf(given);
  if (ofCsv !== null) refuseUsage(`--${ofCsv} is for CSV only`);
  if (resume !== true) return;
  if (onError !== "skip") refuseUsage("--resume needs --on-error skip");
  if (file === "-") refuseUsage("An import of standard input cannot be resumed");
}

function refuseUsage(message: string, hint: string | null = null): never {
  throw new CommandRefused(message, hint, exit.wrongUsage);
}

/** Returns the size of a readable file in bytes. */
function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new CommandRefused(`There is no file ${file}`);
  if (found.isDirectory()) refuseUsage(`${file} is a folder`, "import its files one after another");
  closeSync(openSync(file, "r"));
  return found.size;
}

function report(result: ImportResult, { resource, isDry, onError }: AppRequest): void {
  const { rows, created, updated, refused, errors, more } = result;
  const { accounts } = result;
  for (const mistake of errors) sayAbout(sentenceOf(mistake));
  if (more > 0) sayAbout(`${count(more, "more mistake")}`);
  const isStored = !isDry && (onError === "skip" || (refused === 0 && errors.length === 0));
  const parts = [`${created} created`, `${updated} updated`, `${refused} refused`].join(", ");
  const outcome = isStored ? "" : "; nothing was stored";
  sayProgress(`${count(rows, "row")} of ${resource}: ${parts}${outcome}`);
  if (accounts === undefined) return;
  const hashes = Object.entries(accounts.hashes).map(([kind, number]) => `${number} ${kind}`);
  const passwords = hashes.length === 0 ? "no password" : hashes.join(", ");
  const { withoutPassword, otherHashes = 0 } = accounts;
  sayProgress(`Passwords: ${passwords}; ${withoutPassword} without one`);
  if (otherHashes === 0) return;
  sayProgress(
    `${count(otherHashes, "account")} of these had a hash of another kind: sign in by mail, then set a password`,
  );
}

/** Returns `row 3, line 5, price: Must be a number`. */
function sentenceOf({ row, line, id, column, message }: Mistake): string {
  const places = [
    `row ${row}`,
    ...(id === undefined ? [] : [`id ${id}`]),
    ...(line === null ? [] : [`line ${line}`]),
    ...(column === null ? [] : [column]),
  ];
  return `${places.join(", ")}: ${message}`;
}
