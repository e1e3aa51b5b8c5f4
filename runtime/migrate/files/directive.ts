/** How to run the SQL below a line that begins with `-- @`. Names are spelled as in PostgreSQL's catalog. */
export type StepDirective =
  | { readonly kind: "transaction" }
  | { readonly kind: "alone" }
  | { readonly kind: "steps" }
  | { readonly kind: "index"; readonly index: string; readonly trigram: boolean }
  /** Runs in a database without these tables, and does nothing in one that has them all. */
  | { readonly kind: "adopt"; readonly tables: readonly string[] }
  | { readonly kind: "batches"; readonly table: string }
  | { readonly kind: "tally"; readonly table: string };

/** The meaning of a `-- @` line for the text below it. */
export type Directive =
  | StepDirective
  | { readonly kind: "check"; readonly sentence: string }
  /** Validates values of a field, such as `products.address`, against the JSON Schema in a comment below. */
  | { readonly kind: "schema"; readonly field: string };

/** Parses the text after `-- @`. A problem is a sentence shown after the file and line. */
export function readDirective(text: string): Directive | { readonly problem: string } {
  const [, word = "", rest = ""] = /^(\S*)\s*(.*)$/.exec(text) ?? [];
  switch (word) {
    case "check":
      return rest === ""
        ? formProblem("@check <what the rows are>")
        : { kind: "check", sentence: rest };
    case "schema":
      return /^[a-z][a-z0-9-]*[.][a-zA-Z0-9]+$/.test(rest)
        ? { kind: "schema", field: rest }
        : formProblem("@schema <resource>.<field>");
    case "transaction":
    case "alone":
    case "steps":
      return rest === "" ? { kind: word } : formProblem(`@${word}`);
    case "batches":
    case "tally": {
      const table = readName(rest);
      return table === null ? formProblem(`@${word} <table>`) : { kind: word, table };
    }
    case "index":
      return readIndex(rest);
    case "adopt":
      return readTables(rest);
    case "breaking":
      return { problem: "@breaking belongs at the top of the file, above every step" };
    default:
      return { problem: `@${word} is not a directive; the directives are ${known}` };
  }
}

const known =
  "@breaking, @check, @schema, @transaction, @index, @adopt, @alone, @batches, @tally and @steps";

function readIndex(text: string): Directive | { readonly problem: string } {
  const trigram = /\s+with\s+pg_trgm$/.exec(text);
  const index = readName(trigram === null ? text : text.slice(0, trigram.index));
  if (index === null) return formProblem("@index <name>, or @index <name> with pg_trgm");
  return { kind: "index", index, trigram: trigram !== null };
}

function readTables(text: string): Directive | { readonly problem: string } {
  const words = text.match(/"(?:[^"]|"")+"|[^\s"]+/g) ?? [];
  const tables = words.flatMap((word) => readName(word) ?? []);
  const isWhole = words.join(" ") === text && tables.length === words.length && text !== "";
  return isWhole ? { kind: "adopt", tables } : formProblem("@adopt <table> <table> …");
}

/** Reads a name, plain or in the double quotes of SQL. */
function readName(text: string): string | null {
  if (/^[^\s"]+$/.test(text)) return text;
  const quoted = /^"((?:[^"]|"")+)"$/.exec(text)?.[1];
  return quoted === undefined ? null : quoted.replaceAll('""', '"');
}

function formProblem(form: string): { readonly problem: string } {
  return { problem: `this line must read: -- ${form}` };
}
