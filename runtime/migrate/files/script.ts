import { createHash } from "node:crypto";
import { readDirective, type StepDirective } from "./directive.js";
import { findStatements, trimComments } from "./statements.js";

/** A piece of a migration file that is sent to PostgreSQL. */
export interface ScriptPart {
  /** The line of the file on which `sql` begins, counted from 1. */
  readonly line: number;
  readonly sql: string;
}

/** A query that must find nothing, or the migration would fail or damage what it finds. */
export interface Check extends ScriptPart {
  /** Reads after a number: `rows of products hold no name, which is required from now on`. */
  readonly sentence: string;
}

/** What is done and noted as one. */
export type Step = ScriptPart & {
  /** Of what the step does, without the comments around it. SHA-256, in hex. */
  readonly checksum: string;
} & StepDirective;

/** What a migration file tells to do. */
export interface Script {
  /** Servers built before it cannot work with the schema after it. */
  readonly breaking: boolean;
  /** Why there is no file that undoes it, where it says so. */
  readonly noDownReason: string | null;
  readonly checks: readonly Check[];
  readonly steps: readonly Step[];
}

/** A mistake of form in a migration file; `line` counts from 1. */
export interface ScriptProblem {
  readonly line: number;
  readonly sentence: string;
}

/** A directive, or the head of a file, with the text up to the next one. */
interface Section extends ScriptPart {
  /** What stands after `-- @`; null in the head. */
  readonly directive: string | null;
}

/**
 * Takes a migration file apart at the lines that begin with `-- @`. SQL is not looked into: such a line
 * begins a step wherever it stands. What is wrong is told all at once, and the script is then of no use.
 */
export function readScript(text: string): {
  readonly script: Script;
  readonly problems: readonly ScriptProblem[];
} {
  const checks: Check[] = [];
  const steps: Step[] = [];
  const problems: ScriptProblem[] = [];
  const [head, ...sections] = sectionsOf(text);
  const addStep = (section: Section, kind: StepDirective) => {
    steps.push(stepOf(section, kind));
    problems.push(...transactionControl(section));
  };
  if (hasSql(head.sql)) addStep(head, { kind: "transaction" });
  for (const section of sections) {
    const found = readDirective(section.directive ?? "");
    if ("problem" in found) {
      problems.push({ line: section.line - 1, sentence: found.problem });
    } else if (!hasSql(section.sql)) {
      problems.push({ line: section.line - 1, sentence: `there is no SQL below @${found.kind}` });
    } else if (found.kind === "check") {
      checks.push({ line: section.line, sql: section.sql, sentence: found.sentence });
    } else {
      addStep(section, found);
    }
  }
  const noDownReason = /^-- No way back: (.+)$/m.exec(head.sql)?.[1] ?? null;
  return {
    script: { breaking: breaking.test(head.sql), noDownReason, checks, steps },
    problems,
  };
}

/** Whether there is anything beside comments and blanks. */
function hasSql(text: string): boolean {
  return findStatements(text).length > 0;
}

const breaking = /^-- @breaking[ \t]*$/m;

/** The head comes first, and is there even if it is empty. */
function sectionsOf(text: string): [Section, ...Section[]] {
  const lines = text.split("\n");
  const starts = lines.flatMap((line, at) => (line.startsWith("-- @") ? [at] : []));
  // The mark of a breaking change stands in the head and begins nothing.
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

/** Cut off after such a statement, a step would be half done. */
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
