import type { JsonSchema } from "../../../runtime/values/json-schema/schema.js";

/**
 * A part of a migration that is applied as a unit; docs/migrations.md describes each kind. The runtime recognizes them
 * by the line that `stepText` writes above each.
 */
export type Step =
  | { readonly kind: "check"; readonly about: string; readonly statement: string }
  | {
      /** Validates values against a JSON Schema, before the first step. */
      readonly kind: "schema";
      /** The field, such as `products.address`. */
      readonly field: string;
      readonly schema: JsonSchema;
      readonly statement: string;
    }
  | {
      readonly kind: "transaction";
      /** Adjacent steps of the same group become one transaction. */
      readonly group: string;
      readonly statements: readonly string[];
    }
  | {
      readonly kind: "index";
      readonly name: string;
      readonly extension: string | null;
      readonly statement: string;
    }
  | {
      /** Creates tables in a database that has none of them. */
      readonly kind: "adopt";
      readonly tables: readonly string[];
      readonly statements: readonly string[];
    }
  | { readonly kind: "alone"; readonly statement: string }
  | { readonly kind: "batches"; readonly table: string; readonly statement: string }
  | { readonly kind: "tally"; readonly table: string; readonly statement: string };

/** Orders checks first and uses as few transactions as possible. */
export function arrangeSteps(steps: readonly Step[]): readonly Step[] {
  const checks = steps.filter(isCheck);
  const others: Step[] = [];
  let statements: string[] = [];
  for (const step of steps) {
    const last = others.at(-1);
    if (isCheck(step)) continue;
    if (step.kind !== "transaction") others.push(step);
    else if (last?.kind === "transaction" && last.group === step.group) {
      statements.push(...step.statements);
    } else {
      statements = [...step.statements];
      others.push({ ...step, statements });
    }
  }
  return [...checks, ...others];
}

function isCheck({ kind }: Step): boolean {
  return kind === "check" || kind === "schema";
}

/** Returns the text of each step; a single transaction needs no line above it. */
export function stepTexts(steps: readonly Step[]): readonly string[] {
  const [only, ...others] = steps;
  if (only?.kind === "transaction" && others.length === 0) return only.statements;
  return steps.map(stepText);
}

function stepText(step: Step): string {
  switch (step.kind) {
    case "check":
      return `-- @check ${step.about}\n${step.statement}`;
    case "schema":
      return `-- @schema ${step.field}\n-- ${JSON.stringify(step.schema)}\n${step.statement}`;
    case "transaction":
      return `-- @transaction\n${step.statements.join("\n\n")}`;
    case "index": {
      const extension = step.extension === null ? "" : ` with ${step.extension}`;
      return `-- @index ${step.name}${extension}\n${step.statement}`;
    }
    case "adopt":
      return `-- @adopt ${step.tables.map(directiveName).join(" ")}\n${step.statements.join("\n\n")}`;
    case "alone":
      return `-- @alone\n${step.statement}`;
    case "batches":
      return `-- @batches ${directiveName(step.table)}\n${step.statement}`;
    case "tally":
      return `-- @tally ${directiveName(step.table)}\n${step.statement}`;
    default:
      return step satisfies never;
  }
}

/** Formats a name after a directive: quoted if it contains spaces or quotation marks. */
function directiveName(name: string): string {
  return /^[^\s"]+$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** Returns statements that run in one transaction, together with others of the group. */
export function transaction(group: string, statements: readonly string[]): Step {
  return { kind: "transaction", group, statements };
}
