import { type Proposal, proposeAdoption } from "../../../generator/adopt/adopt.js";
import { readExisting } from "../../../generator/adopt/existing.js";
import type { ReportLine } from "../../../generator/adopt/model/adoption.js";
import { type AdoptionPlan, planAdoption } from "../../../generator/adopt/written/plan.js";
import { writePlan } from "../../../generator/output/write.js";
import { withDatabase } from "../../../runtime/command/app/database.js";
import { requireSources } from "../../../runtime/command/app/folder.js";
import { CommandRefused, type ExitCode, exit } from "../../../runtime/command/exit.js";
import { failProblems, say, sayAside, sayJson, warn } from "../../../runtime/command/report.js";
import { readProfileNames } from "../../../runtime/config/lenient.js";
import { withMaintenanceConnection } from "../../../runtime/migrate/index.js";
import { listWords } from "../../../runtime/values/text.js";
import { isTimezone } from "../../../runtime/values/timezone/name.js";
import { withGenerateLock } from "../generate/lock.js";

export interface AdoptOptions {
  readonly schema?: readonly string[];
  readonly exclude?: readonly string[];
  readonly accounts?: string;
  readonly key?: readonly string[];
  readonly views?: true;
  readonly triggers?: boolean;
  readonly timezone?: string;
  readonly update?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/** Writes descriptors and a migration for the tables of the database that have no descriptor. */
export async function adoptCommand(
  root: string,
  tables: readonly string[],
  options: AdoptOptions,
): Promise<ExitCode> {
  for (const remark of requireSources(root)) warn(remark);
  const { schema = ["public"], exclude = [], key = [], update: updates = false } = options;
  const { views = false, triggers = true, accounts = null, timezone = null } = options;
  if (timezone !== null && !isTimezone(timezone)) {
    throw new CommandRefused(`There is no time zone ${timezone}`, zoneHint);
  }
  const schemas = [...new Set(schema)];
  refuseOwnSchema(schemas);
  const existing = readExisting(root);
  const chosen = { schemas, tables, exclude, keys: key, accounts };
  const request = { ...chosen, views, triggers, existing, updates, timezone };
  const proposal = await withDatabase(root, (url) => propose(url, request));
  if (proposal.kind === "too-many") {
    throw new CommandRefused(`${subject(schemas, "hold")} more than 2000 tables and views`, fewer);
  }
  if (proposal.kind === "no-accounts") throw new CommandRefused(proposal.why, proposal.way);
  if (proposal.kind === "unknown") {
    const names = proposal.names.map((name) => `"${name}"`).join(" or ");
    const hint = "spell tables as the database does; \\dt in psql lists them";
    throw new CommandRefused(`${subject(schemas, "have")} no table ${names}`, hint);
  }
  if (proposal.kind === "no-schema") {
    const names = proposal.names.map((name) => `"${name}"`).join(" or ");
    throw new CommandRefused(`The database has no schema ${names}`, "\\dn in psql lists schemas");
  }
  return withGenerateLock(root, async () => finish({ root, existing, ...proposal }, options));
}

const zoneHint = "name one of the IANA time zones, for example --timezone Europe/Oslo";
const fewer = "move some of them to another schema";

/** For example `The schema public has`. */
function subject(schemas: readonly string[], verb: "have" | "hold"): string {
  const [only = "", ...others] = schemas;
  if (others.length > 0) return `The schemas ${listWords([...schemas])} ${verb}`;
  return `The schema ${only} ${verb === "have" ? "has" : "holds"}`;
}

function refuseOwnSchema(schemas: readonly string[]): void {
  const reserved = schemas.find((name) => /^(?:service|information_schema|pg_.*)$/.test(name));
  if (reserved === undefined) return;
  throw new CommandRefused(
    `The tables of the schema ${reserved} belong to ${reserved === "service" ? "service" : "PostgreSQL"}`,
    "name a schema that contains your own tables",
  );
}

function propose(url: string, request: Parameters<typeof proposeAdoption>[1]): Promise<Proposal> {
  return withMaintenanceConnection(url, async (db) => {
    await db.query("begin transaction isolation level repeatable read, read only");
    const proposal = await proposeAdoption((text, values) => db.query(text, values), request);
    await db.query("rollback");
    return proposal;
  });
}

type Proposed = Omit<Parameters<typeof planAdoption>[0], "profiles">;

function finish(proposed: Proposed, { dryRun, json }: AdoptOptions): ExitCode {
  const { root, adoption } = proposed;
  const { tables, updates, known, report } = adoption;
  if (adoption.unzoned.length > 0) {
    if (json) sayJson({ written: [], report });
    throw new CommandRefused(
      `The database does not store the time zone of ${listWords(adoption.unzoned)}`,
      "add --timezone <zone>, with the zone in which they are written",
    );
  }
  const isEmpty = tables.length + updates.length + known.length === 0;
  const plan = isEmpty ? nothing : planOf(proposed);
  if (plan.problems.length > 0) {
    if (json) sayJson({ written: [], report });
    failProblems(plan.problems);
    return exit.mustChange;
  }
  const written = plan.writes.map(({ path }) => path);
  if (!dryRun) writePlan(root, { writes: plan.writes, removals: [], edited: [] });
  if (json) sayJson({ written, report });
  else sayAdoption(written, report, dryRun === true ? "would write" : "wrote");
  return written.length > 0 ? exit.done : exit.mustChange;
}

const nothing: AdoptionPlan = { problems: [], isBehind: false, writes: [] };

function planOf(proposed: Proposed): AdoptionPlan {
  const plan = planAdoption({ ...proposed, profiles: readProfileNames(proposed.root) });
  if (!plan.isBehind) return plan;
  throw new CommandRefused(
    "The descriptors of this app have changes without a migration",
    "run npx service generate first",
  );
}

function sayAdoption(
  written: readonly string[],
  report: readonly ReportLine[],
  verb: "wrote" | "would write",
): void {
  for (const path of written) say(`${verb}  ${path}`);
  for (const { table, column, taken, kind, why, way } of report) {
    const place = column === null ? table : `${table}.${column}`;
    say(`${words[String(taken) as keyof typeof words]}  ${place}: ${why} (${kind})`);
    if (way !== null) sayAside(`  hint: ${way}`);
  }
  if (written.length === 0) say("No table was adopted");
  else if (verb === "wrote")
    sayAside("npx service generate writes the code; npx service migrate adds the totals");
}

/** How a line begins, by what happened to its table or column. */
const words = { true: "remark", false: "left out", "read-only": "read-only" } as const;
