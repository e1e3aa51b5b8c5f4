import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import type { Step } from "./step.js";
import { alterTable } from "./table.js";

/**
 * The parts of a table's change, by phase. Adjacent changes go through the phases together, so that
 * the table is locked and read as rarely as possible.
 */
export type PhasedStep =
  | {
      /** `prepare`, `guard`, `finish`: locks the table briefly. `link`, `unlink`: locks the linked table as well. */
      readonly phase: "prepare" | "link" | "guard" | "finish" | "unlink";
      readonly statements: readonly string[];
    }
  | {
      /** `refill`: rows written before the guard existed. */
      readonly phase: "fill" | "refill";
      readonly statement: string;
    }
  | {
      /** Reads the table while others write. */
      readonly phase: "validate";
      readonly constraint: string;
    }
  | { readonly phase: "build"; readonly name: string; readonly statement: string };

const order: readonly PhasedStep["phase"][] = [
  "prepare",
  "link",
  "fill",
  "guard",
  "refill",
  "validate",
  "build",
  "finish",
  "unlink",
];

export function phasedSteps(table: string, parts: readonly PhasedStep[]): readonly Step[] {
  const constraints = parts.flatMap((part) => ("constraint" in part ? [part.constraint] : []));
  const [first] = constraints;
  return parts
    .filter((part) => !("constraint" in part) || part.constraint === first)
    .toSorted((a, b) => order.indexOf(a.phase) - order.indexOf(b.phase))
    .map((part, at) =>
      "constraint" in part ? validation(table, constraints) : stepOf(table, part, at),
    );
}

/** Validates all constraints in one statement, which reads the table once. */
function validation(table: string, constraints: readonly string[]): Step {
  const actions = constraints.map((name) => `validate constraint ${sqlIdentifier(name)}`);
  const statements = [alterTable(table, ...actions)];
  return { kind: "transaction", group: `${table}, read`, statements };
}

type OtherStep = Exclude<PhasedStep, { readonly phase: "validate" }>;

function stepOf(table: string, part: OtherStep, at: number): Step {
  switch (part.phase) {
    // Each in a separate transaction: waiting for one table must not keep several others locked.
    case "link":
    case "unlink":
      return { kind: "transaction", group: `${table}, link ${at}`, statements: part.statements };
    case "prepare":
    case "guard":
    case "finish":
      return { kind: "transaction", group: table, statements: part.statements };
    case "fill":
    case "refill":
      return { kind: "batches", table, statement: part.statement };
    case "build":
      return { kind: "index", name: part.name, extension: null, statement: part.statement };
    default:
      return part satisfies never;
  }
}
