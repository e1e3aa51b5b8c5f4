import { type BodyIssue, Refusal } from "../../../errors/index.js";
import { visitor } from "../../../own-code/index.js";
import { cellWords } from "../../../values/files/cell-words.js";
import { onceFor } from "../../rights/once-for.js";
import { isOpenTo } from "../../rights/rules.js";
import type { Column, Table } from "../../table/table.js";
import type { Write } from "../operation.js";

type Issue = NonNullable<Refusal["issues"]>[number];

/**
 * The refusal of an anonymous caller's write, without the fields that such callers can neither read nor write, unless
 * the request contains them. Returns any other error unchanged.
 */
export function withoutHiddenFields(error: unknown, write: Write): unknown {
  const hidden = hiddenKeys(write.table);
  if (hidden.size === 0 || !(error instanceof Refusal)) return error;
  const { issues, field, ...details } = error.details;
  const named = new Set("checked" in write ? write.checked.malformed.map(pathOf) : []);
  const isShown = (path: string) => !hidden.has(keyOf(path)) || named.has(path);
  const shown = issues?.filter((issue) => !("path" in issue) || isShown(issue.path));
  if (shown?.length === issues?.length && (field === undefined || isShown(field))) return error;
  return new Refusal(error.code, { ...details, ...(shown && { issues: shown.map(withoutNames) }) });
}

const hiddenKeys = onceFor(({ columns }: Table<never>): ReadonlySet<string> => {
  const hidden = Object.entries<Column>(columns).filter(([, { read, write }]) =>
    [read, write].every((rule) => !isOpenTo(rule, visitor.role)),
  );
  return new Set(hidden.map(([key]) => key));
});

/** Replaces messages about unique combinations, because they name all fields. */
function withoutNames(issue: Issue): Issue {
  return "path" in issue ? { ...issue, message: cellWords.taken } : issue;
}

function pathOf({ path }: BodyIssue): string {
  return path;
}

/** `tags` for `tags.2`. */
function keyOf(path: string): string {
  return path.split(".")[0] ?? "";
}
