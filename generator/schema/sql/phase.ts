import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import type { Step } from "./step.js";
import { alterTable } from "./table.js";

/**
 * A part of a table's change, by phase. The phases of adjacent changes are merged, so that the table is locked and
 * scanned as rarely as possible.
 */
export type PhasedStep =
  | {
      /** `prepare`, `guard` and `finish` lock the table briefly; `link` and `unlink` lock the linked table too. */
      readonly phase: "prepare" | "link" | "guard" | "finish" | "unlink";
      readonly statements: readonly string[];
    }
  | {
      /** `refill` processes rows written before the guard existed. */
      readonly phase: "fill" | "refill";
      readonly statement: string;
    }
  | {
      /** Scans the table without blocking writes. */
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

/** Validates all constraints in one statement, which scans the table once. */
function validation(table: string, constraints: readonly string[]): Step {
  const actions = constraints.map((name) => `validate constraint ${sqlIdentifier(name)}`);
  const statements = [alterTable(table, ...actions)];
  return { kind: "transaction", group: `${table}, read`, statements };
}

type OtherStep = Exclude<PhasedStep, { readonly phase: "validate" }>;

function stepOf(table: string, part: OtherStep, at: number): Step {
  switch (part.phase) {
    // Each is a separate transaction, so that waiting for one table does not keep several others locked.
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
