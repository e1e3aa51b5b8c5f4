import type { Config } from "../../config/index.js";
import { type Session, withSession } from "../../db/index.js";
import { openPeople } from "../read/people.js";
import { openSource, type Source } from "../read/source.js";
import { Unreadable } from "../read/unreadable.js";
import { chunksOf } from "./chunks.js";
import { headerMistakes } from "./columns.js";
import { openErrorsFile } from "./errors-file.js";
import { digestOf, dropMark, type Mark, type MarkedFile, readMark } from "./marks.js";
import { newMistakes } from "./mistakes.js";
import { planOf, refuseUnknownFields, WrongName } from "./plan.js";
import { failureOf, problemOf } from "./problem.js";
import type { ImportEvent, ImportRequest, ImportResult, Mistake } from "./request.js";
import { fixedValues, rowReader } from "./row-reader.js";
import { runInOne, runSkipping } from "./run.js";
import { type AccountsTarget, accountsTarget } from "./target/accounts.js";
import { peopleColumns } from "./target/people.js";
import { type ImportingApp, recordsTarget } from "./target/records.js";
import type { Counts, ImportTarget, Run, Storing } from "./target/target.js";

type Report = (event: ImportEvent) => void;

/** Imports a file for `service import`, and reports progress and result. */
export async function importInto(
  app: ImportingApp,
  request: ImportRequest,
  report: Report,
): Promise<void> {
  const target = recordsTarget(app, planOf(app.definitions, request));
  await withSession(app.services.config.database, (session) =>
    importFile(request, { target, session, report }),
  );
}

/** What an import of accounts needs from the app. */
export interface AccountImport extends AccountsTarget {
  readonly config: Pick<Config, "database">;
}

/** Imports accounts from a file or a table: see `importInto`. It needs no built app, as no hook runs. */
export async function importAccounts(
  { config, clock, people }: AccountImport,
  request: Omit<ImportRequest, "events" | "command">,
  report: Report,
): Promise<void> {
  try {
    const target = accountsTarget({ clock, people });
    refuseUnknownFields(target.fields, request);
    await withSession(config.database, (session) => {
      const importing = { target, session, report, people };
      return importWith({ ...request, events: 0, command: null }, importing);
    });
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    report({ kind: "refused", ...problem });
  }
}

interface Importing {
  readonly target: ImportTarget;
  readonly session: Session;
  readonly report: Report;
}

async function importFile(request: ImportRequest, importing: Importing): Promise<void> {
  const { session, report, target } = importing;
  fixedValues(target, request);
  const { path, isDry, onError, resource } = request;
  const isMarked = onError === "skip" && path !== null && !isDry;
  const marked = isMarked ? { resource, path, digest: await digestOf(path) } : null;
  const former = marked === null ? null : await formerMark(session, marked, request);
  if (former?.isDone === true) {
    const result = { ...nothing, from: former.at.row + 1 };
    report({ kind: "done", result, isWrong: false });
    return;
  }
  let source: Source;
  try {
    source = await openSource({ ...request, from: former?.at ?? null });
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    report(unreadable(error));
    return;
  }
  await importSource(request, importing, { source, marked, former });
}

/** Imports the file, or the people of a table that have no account yet. */
async function importWith(
  request: ImportRequest,
  { people, ...importing }: Importing & Pick<AccountImport, "people">,
): Promise<void> {
  if (people === null) return importFile(request, importing);
  fixedValues(importing.target, request);
  const source = await openPeople(importing.session, people, peopleColumns(request));
  await importSource(request, importing, { source, marked: null, former: null });
}

async function importSource(
  request: ImportRequest,
  importing: Importing,
  opened: Opened,
): Promise<void> {
  const { header } = opened.source;
  const { target, report } = importing;
  const wrong = header === null ? [] : headerMistakes(target.fields, header, request);
  if (wrong.length > 0) report(refusedFile(wrong));
  else await importRows(request, importing, opened);
}

const nothing: ImportResult = {
  from: 1,
  rows: 0,
  created: 0,
  updated: 0,
  refused: 0,
  errors: [],
  more: 0,
  hasErrorsFile: false,
};

function unreadable({ message, line }: Unreadable): ImportEvent {
  return refusedFile([{ row: 0, line, column: null, message }]);
}

function refusedFile(mistakes: readonly Mistake[]): ImportEvent {
  const errors = mistakes.slice(0, 100);
  const more = mistakes.length - errors.length;
  return { kind: "done", isWrong: true, result: { ...nothing, errors, more } };
}

/** The position at which an earlier run ended; null to import the file from its first row. */
async function formerMark(
  session: Session,
  marked: MarkedFile,
  { resume }: ImportRequest,
): Promise<Mark | null> {
  const mark = await readMark(session, marked);
  if (mark === null) return null;
  // Otherwise an import that is interrupted before its first mark would seem complete.
  if (resume === false || (resume === null && mark.isDone)) {
    await dropMark(session, marked);
    return null;
  }
  if (resume === null) {
    const row = mark.at.row + 1;
    throw new WrongName(
      `An earlier import of this file was interrupted at row ${row}`,
      "--resume continues there; --no-resume starts again at row 1",
    );
  }
  if (mark.isOther) {
    throw new WrongName(
      "The file was changed since its import was interrupted",
      "--no-resume starts again at row 1",
    );
  }
  return mark;
}

interface Opened {
  readonly source: Source;
  readonly marked: MarkedFile | null;
  readonly former: Mark | null;
}

async function importRows(
  request: ImportRequest,
  { target, session, report }: Importing,
  { source, marked, former }: Opened,
): Promise<void> {
  const { onError, isDry, errors: errorsPath } = request;
  const names = source.header?.columns ?? null;
  const reader = rowReader(target, request, names);
  const mistakes = newMistakes(reader.columns);
  const counts = { rows: 0, created: 0, updated: 0 };
  const from = former?.at ?? { row: 0, line: 0, offset: 0 };
  const storing = await target.begin(session, reader.columns);
  let next = 0;
  const run: Run = {
    ...storing,
    ...{ session, mistakes, counts, isDry },
    chunks: chunksOf(source.records, from.offset),
    isFile: request.path !== null,
    read: reader.read,
    onRows(records) {
      counts.rows += records.length;
      const now = performance.now();
      if (now < next) return;
      next = now + progressMs;
      report({
        kind: "progress",
        rows: counts.rows,
        offset: source.readBytes(),
      });
    },
  };
  const errors =
    onError === "skip" && !isDry
      ? openErrorsFile({
          path: errorsPath,
          columns: names,
          size: former?.errorsSize ?? 0,
          isMarked: request.encoding !== "utf-8",
        })
      : null;
  const refusedBefore = former?.refused ?? 0;
  const resultOf = (): ImportResult => {
    const listed = mistakes.first();
    return {
      from: from.row + 1,
      ...counts,
      refused: mistakes.refused,
      errors: listed,
      more: mistakes.total - listed.length,
      hasErrorsFile: (errors?.size ?? 0) > 0,
      ...accountsOf(storing, counts),
    };
  };
  try {
    if (errors !== null) {
      const at = former?.at ?? null;
      await runSkipping(run, { marked, errors, refused: refusedBefore, from: at });
    } else if (onError === "stop" && run.runStaged) await run.runStaged(run);
    else await runInOne(run, { maySkip: onError === "skip" });
  } catch (error) {
    if (error instanceof Unreadable) return report(unreadable(error));
    const problem = failureOf(error);
    if (problem === null) throw error;
    if (onError === "stop" || isDry) Object.assign(counts, { created: 0, updated: 0 });
    report({ kind: "failed", ...problem, result: resultOf() });
    return;
  } finally {
    errors?.close();
  }
  const isWrong = mistakes.refused + refusedBefore > 0;
  report({ kind: "done", result: resultOf(), isWrong });
}

/** Statistics about the accounts; zeros if they were rolled back. */
function accountsOf({ accounts }: Storing, { created }: Counts) {
  if (accounts === undefined) return {};
  const all = accounts();
  const none = { withoutPassword: 0, hashes: {}, ...("otherHashes" in all && { otherHashes: 0 }) };
  return { accounts: created === 0 ? none : all };
}

/** Milliseconds between progress reports. */
const progressMs = 200;
