import { createHash } from "node:crypto";
import { parseJson } from "../../values/json.js";
import { isObject, type JsonSchema } from "../../values/json-schema/schema.js";
import { readDirective, type StepDirective } from "./directive.js";
import { findStatements, hasStatement, trimComments } from "./statements.js";

/** A part of a migration file that is sent to PostgreSQL. */
export interface ScriptPart {
  /** The line of the file on which `sql` begins, counted from 1. */
  readonly line: number;
  readonly sql: string;
}

/** A `select` that must find no rows: the migration would fail on them or damage them. */
export interface Check extends ScriptPart {
  /** Shown after the number of rows: `rows of products hold no name, which is required from now on`. */
  readonly sentence: string;
}

/** A `select` of values that must be valid by a JSON Schema. */
export interface SchemaCheck extends ScriptPart {
  /** `products.address` */
  readonly field: string;
  readonly schema: JsonSchema;
}

/** The unit that is run and recorded as a whole. */
export type Step = ScriptPart & {
  /** SHA-256, in hex, of the step's content without leading and trailing comments. */
  readonly checksum: string;
} & StepDirective;

export interface Script {
  /** Whether servers built before the migration cannot work with the schema after it. */
  readonly breaking: boolean;
  /** The statements that break such servers, if the file names them. */
  readonly breakingStatements: readonly string[];
  /** Why the migration cannot be undone, if the file gives a reason. */
  readonly noDownReason: string | null;
  readonly checks: readonly Check[];
  readonly schemas: readonly SchemaCheck[];
  readonly steps: readonly Step[];
}

/** A format error in a migration file; `line` counts from 1. */
export interface ScriptProblem {
  readonly line: number;
  readonly sentence: string;
}

/** A directive or the head of a file, with the text up to the next directive. */
interface Section extends ScriptPart {
  /** The text after `-- @`; null in the head. */
  readonly directive: string | null;
}

/**
 * Splits a migration file at lines that begin with `-- @`, even inside SQL, which is not parsed. Reports all problems
 * together; if there are any, the script must not be used.
 */
export function readScript(text: string): {
  readonly script: Script;
  readonly problems: readonly ScriptProblem[];
} {
  const checks: Check[] = [];
  const schemas: SchemaCheck[] = [];
  const steps: Step[] = [];
  const problems: ScriptProblem[] = [];
  const [head, ...sections] = sectionsOf(text);
  const addStep = (section: Section, kind: StepDirective) => {
    steps.push(stepOf(section, kind));
    problems.push(...transactionControl(section));
  };
  if (hasStatement(head.sql)) addStep(head, { kind: "transaction" });
  for (const section of sections) {
    const found = readDirective(section.directive ?? "");
    if ("problem" in found) {
      problems.push({ line: section.line - 1, sentence: found.problem });
    } else if (!hasStatement(section.sql)) {
      problems.push({ line: section.line - 1, sentence: `there is no SQL below @${found.kind}` });
    } else if (found.kind === "check") {
      checks.push({ line: section.line, sql: section.sql, sentence: found.sentence });
    } else if (found.kind === "schema") {
      const schema = schemaAbove(section.sql);
      if (schema === null) problems.push({ line: section.line, sentence: noSchema });
      else schemas.push({ line: section.line, sql: section.sql, field: found.field, schema });
    } else {
      addStep(section, found);
    }
  }
  const noDownReason = /^-- No way back: (.+)$/m.exec(head.sql)?.[1] ?? null;
  return {
    script: { ...breakingOf(head.sql), noDownReason, checks, schemas, steps },
    problems,
  };
}

const noSchema = "the line below @schema must be a comment with a JSON Schema";

/** The JSON Schema in the comment on the first line; null if there is none. */
function schemaAbove(sql: string): JsonSchema | null {
  const text = /^-- (.*)$/m.exec(sql.split("\n", 1)[0] ?? "")?.[1] ?? "";
  const parsed = parseJson(text);
  if (parsed.kind !== "value") return null;
  const { value } = parsed;
  return typeof value === "boolean" || isObject(value) ? value : null;
}

const breaking = /^-- @breaking(?:[ \t]+(.*?))?[ \t]*$/;

function breakingOf(head: string): Pick<Script, "breaking" | "breakingStatements"> {
  const marks = head.split("\n").flatMap((line) => {
    const found = breaking.exec(line);
    return found === null ? [] : [found[1] ?? ""];
  });
  const breakingStatements = marks.filter((statement) => statement !== "");
  return { breaking: marks.length > 0, breakingStatements };
}

/** Splits the text; the head comes first, even if it is empty. */
function sectionsOf(text: string): [Section, ...Section[]] {
  const lines = text.split("\n");
  const starts = lines.flatMap((line, at) => (line.startsWith("-- @") ? [at] : []));
  // The mark of a breaking change is part of the head and does not begin a section.
  while (starts[0] !== undefined && breaking.test(lines[starts[0]] ?? "")) starts.shift();
  const textOf = (from: number, to: number | undefined) => lines.slice(from, to).join("\n");
  return [
    { directive: null, line: 1, sql: textOf(0, starts[0]) },
    ...starts.map((start, at) => ({
      directive: (lines[start] ?? "").slice("-- @".length).trim(),
      line: start + 2,
      sql: textOf(start + 1, starts[at + 1]),
    })),
  ];
}

/** Finds statements that end a transaction: an interrupted step would then be partly done. */
function transactionControl({ line, sql }: ScriptPart): readonly ScriptProblem[] {
  return findStatements(sql).flatMap(({ line: below, opening: [first = "", second = ""] }) => {
    const isControl = /^(begin|commit|end|rollback|abort)$/.test(first) && second !== "to";
    if (!isControl && !/^(start|prepare) transaction$/.test(`${first} ${second}`)) return [];
    const sentence = `leave out "${first}": steps begin and end their transactions themselves`;
    return [{ line: line + below, sentence }];
  });
}

function stepOf({ line, sql }: Section, kind: StepDirective): Step {
  const identity = JSON.stringify([kind, trimComments(sql)]);
  const checksum = createHash("sha256").update(identity).digest("hex");
  return { ...kind, line, sql, checksum };
}
