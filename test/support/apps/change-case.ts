import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Descriptors } from "./changed-app.js";
import type { KnownRows } from "./known-rows.js";

/** A change of descriptors that becomes a migration: a folder of `fixtures/migrations/`. */
export interface ChangeCase {
  readonly before: Descriptors;
  /** One, or several that are released one after the other. */
  readonly releases: readonly Release[];
  readonly rows: CaseRows;
  /** What `migrate` says about the rows that it must refuse; null where there are none. */
  readonly refusal: string | null;
}

export interface Release {
  readonly descriptors: Descriptors;
  /** What `generate` says without consent; empty where it needs none. */
  readonly problems: string;
  /** What follows `--allow-destructive`. */
  readonly consent: readonly string[];
  /** The remarks of `generate`. */
  readonly remarks: readonly string[];
  /** The remarks of the next `generate`, which has nothing left to do. */
  readonly nextRemarks: readonly string[];
  /** The migration; null where the schema stays as it is. */
  readonly sql: string | null;
  /** Its way back; null where there is none. */
  readonly down: string | null;
}

/** All rows of each table that is named. */
export interface CaseRows {
  readonly before: KnownRows;
  /** More rows, which the last release's migration refuses. */
  readonly refused?: KnownRows;
  readonly after: KnownRows;
  /** After the migrations' ways back, where that is not what was there before. */
  readonly back?: KnownRows;
}

/** The folders `before`, `after`, and where one release is not enough `after-2` and so on. */
export function readChangeCase(folder: string): ChangeCase {
  const releases = readdirSync(folder).filter((name) => /^after(-\d)?$/.test(name));
  return {
    before: descriptorsIn(join(folder, "before")),
    releases: releases.sort().map((name) => readRelease(folder, name)),
    rows: JSON.parse(readFileSync(join(folder, "rows.json"), "utf8")),
    refusal: textIn(folder, "refusal.txt"),
  };
}

function readRelease(folder: string, name: string): Release {
  const number = name.slice("after".length);
  const textOf = (file: string) => textIn(folder, file);
  return {
    descriptors: descriptorsIn(join(folder, name)),
    problems: textOf(`problems${number}.txt`) ?? "",
    consent: linesOf(textOf(`consent${number}`)),
    remarks: linesOf(textOf(`remarks${number}.txt`)),
    nextRemarks: linesOf(textOf(`remarks${number}.next.txt`)),
    sql: textOf(`expected${number}.sql`),
    down: textOf(`expected${number}.down.sql`),
  };
}

function linesOf(text: string | null): readonly string[] {
  return (text ?? "").split("\n").filter((line) => line !== "");
}

/** The text of a file; null where it is missing. */
function textIn(folder: string, file: string): string | null {
  const path = join(folder, file);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

function descriptorsIn(folder: string): Descriptors {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}
