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
  /** Message of `migrate` about rows that it must refuse; null without any. */
  readonly refusal: string | null;
}

export interface Release {
  readonly descriptors: Descriptors;
  /** Output of `generate` without consent; empty if it needs none. */
  readonly problems: string;
  /** Arguments of `--allow-destructive`. */
  readonly consent: readonly string[];
  /** The remarks of `generate`. */
  readonly remarks: readonly string[];
  /** Remarks of the next `generate`, which has nothing left to do. */
  readonly nextRemarks: readonly string[];
  /** The migration; null if the schema stays unchanged. */
  readonly sql: string | null;
  /** Its way back; null without one. */
  readonly down: string | null;
}

/** All rows of each named table. */
export interface CaseRows {
  readonly before: KnownRows;
  /** More rows, which the last release's migration refuses. */
  readonly refused?: KnownRows;
  readonly after: KnownRows;
  /** Rows after the migrations' ways back, if they differ from those before. */
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

/** Text of a file; null if it does not exist. */
function textIn(folder: string, file: string): string | null {
  const path = join(folder, file);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

function descriptorsIn(folder: string): Descriptors {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}
