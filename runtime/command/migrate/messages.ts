import type { HalfDone, MigrationName, MigrationProgress } from "../../migrate/index.js";
import { count, say, sayDone, sayProgress } from "../report.js";

/** Returns the path of a migration's file, for messages. */
export function pathOf({ source, name }: MigrationName): string {
  return source === "app" ? `migrations/${name}.sql` : `${name}.sql (of the package)`;
}

/** Returns `, partly done (1 of 2 steps)`; empty if the migration was not begun. */
export function progressNote({ halfDone }: { readonly halfDone?: HalfDone }): string {
  if (halfDone === undefined) return "";
  const { direction, done, steps } = halfDone;
  return `, partly ${direction === "up" ? "done" : "undone"} (${done} of ${count(steps, "step")})`;
}

/** Returns a function that, with `verbose`, reports each step before it begins, because some take long. */
export function progressReporter(doing: string, { verbose }: { readonly verbose?: true }) {
  return ({ path, step, steps, what }: MigrationProgress): void => {
    if (verbose) sayProgress(`${doing} ${path} (${step} of ${steps}: ${what})`);
  };
}

/** Prints a line for each completed migration, and a summary. */
export function sayAllDone(how: string, names: readonly MigrationName[], nothing: string): void {
  for (const name of names) say(`${how}  ${pathOf(name)}`);
  sayDone(names.length === 0 ? nothing : `${count(names.length, "migration")} ${how}`);
}

/** Prints the title as a comment, so that the whole output is SQL. */
export function saySql(title: string, sql = ""): void {
  say(`-- ${title}\n\n${sql.trimEnd()}\n`);
}
