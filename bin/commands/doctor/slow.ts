import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { findDescriptors } from "../../../generator/descriptor/find.js";
import { readDescriptors } from "../../../generator/descriptor/read.js";
import { isFiltered, kindOf } from "../../../generator/kind/kinds.js";
import type { Resource } from "../../../generator/model/model.js";
import { resolveModel } from "../../../generator/resolve/resolve.js";
import { openDatabase } from "../../../runtime/db/index.js";
import { CommandRefused } from "../../exit.js";
import { count, type Finding } from "../../report.js";
import { ok, problemFindings, warning } from "./finding.js";
import { type IndexKey, proveIndex, type SlowQuery } from "./index-proof.js";

const check = "slow queries";

/** The most queries that are examined, those that were slow most often. */
const maxQueries = 50;

/** What lists and statistics in a server's log of slow statements look for, and the index that would serve each. */
export async function checkSlow(
  root: string,
  url: string,
  log: string,
): Promise<readonly Finding[]> {
  const { model, problems } = resolveModel(
    readDescriptors(findDescriptors(root)),
    null,
    () => true,
  );
  if (model === null) return problemFindings(check, problems);
  const seen = await readLog(log);
  if (seen.length === 0) return [ok(check, "none in the log")];
  const db = openDatabase({ url, poolSize: 1, prepare: true });
  const findings: Finding[] = [];
  try {
    for (const query of seen) {
      const resource = model.resources.find(({ name }) => name === query.shape.resource);
      const slow = resource === undefined ? null : slowQuery(resource, query.shape);
      if (resource === undefined || slow === null) continue;
      const proof = await db.transaction((connection) => proveIndex(connection, slow));
      findings.push(findingOf(resource, query, proof));
    }
  } finally {
    await db.close();
  }
  return findings.length === 0
    ? [ok(check, "none that applies to the current resources")]
    : findings;
}

/** What the comment in a statement says; see `shapeComment`. */
interface Shape {
  readonly resource: string;
  readonly values: readonly string[];
  readonly ranges: readonly string[];
  /** Empty where records are counted or added up. */
  readonly sort: readonly string[];
}

interface Seen {
  readonly shape: Shape;
  times: number;
  slowest: number;
}

const comment = /\/\* service: (\{[^*]*\}) \*\//;

async function readLog(path: string): Promise<readonly Seen[]> {
  const input = path === "-" ? process.stdin : await opened(path);
  const seen = new Map<string, Seen>();
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!line.includes("/* service: ")) continue;
    const entry = parsed(line);
    const statement = typeof entry?.statement === "string" ? entry.statement : "";
    const text = comment.exec(statement)?.[1] ?? "";
    const shape = shapeOf(parsed(text));
    if (shape === null) continue;
    const known = seen.get(text) ?? { shape, times: 0, slowest: 0 };
    known.times += 1;
    known.slowest = Math.max(known.slowest, Number(entry?.milliseconds) || 0);
    seen.set(text, known);
  }
  return [...seen.values()].sort((one, other) => other.times - one.times).slice(0, maxQueries);
}

async function opened(path: string): Promise<Readable> {
  try {
    return (await open(path)).createReadStream();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandRefused(
      `The log cannot be read: ${reason}`,
      "name a file that the server's log is in, or -",
    );
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    // A log has other lines too.
    return null;
  }
}

function shapeOf(value: Readonly<Record<string, unknown>> | null): Shape | null {
  if (value === null || typeof value.resource !== "string") return null;
  const { resource, values, ranges, sort } = value;
  return isList(values) && isList(ranges) && isList(sort)
    ? { resource, values, ranges, sort }
    : null;
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** Null where a field is gone, or sorted in an order that no index has. */
function slowQuery({ table, fields }: Resource, { values, ranges, sort }: Shape): SlowQuery | null {
  const keyOf = (written: string): IndexKey | null => {
    const descending = written.startsWith("-");
    const name = descending ? written.slice(1) : written;
    const system = new Map([
      ["createdAt", "created_at"],
      ["updatedAt", "updated_at"],
    ]).get(name);
    const field = fields.find((one) => one.name === name);
    const column = system ?? field?.column;
    const isIndexable =
      field === undefined || (isFiltered(field) && kindOf(field).isSortedAsStored);
    if (column === undefined) return null;
    return { name, column, descending, canBeEmpty: field?.required === false, isIndexable };
  };
  const sorted = (sort.at(-1)?.replace("-", "") === "id" ? sort.slice(0, -1) : sort).map(keyOf);
  const [equal, bounded] = [values, ranges].map((names) => names.map(keyOf));
  const all = [...(equal ?? []), ...(bounded ?? []), ...sorted];
  if (all.includes(null)) return null;
  const sound = (keys: readonly (IndexKey | null)[] = []) => keys.flatMap((key) => key ?? []);
  const order = sort.length === 0 ? null : sound(sorted);
  return { table, values: sound(equal), ranges: sound(bounded), sort: order };
}

function findingOf(
  { name, source }: Resource,
  { shape, times, slowest }: Seen,
  proof: Awaited<ReturnType<typeof proveIndex>>,
): Finding {
  const filtered = [...shape.values, ...shape.ranges];
  const sorted = `sort ${shape.sort.filter((one) => !/^-?id$/.test(one)).join(", ") || "id"}`;
  const asked = [
    ...(filtered.length === 0 ? [] : [`filter ${filtered.join(", ")}`]),
    shape.sort.length === 0 ? "statistics" : sorted,
  ];
  const found = `${name}, ${asked.join(", ")}: ${count(times, "time")}, up to ${slowest} ms`;
  if (proof === null)
    return warning(check, found, "no index helps; narrow the query or request fewer records");
  const { index, before, after, rows } = proof;
  const line = `indexes: [[${index.map(({ name, descending }) => (descending ? "-" : "") + name).join(", ")}]]`;
  const figures = `the planner's cost falls from ${before} to ${after}, on ${count(rows, "record")}`;
  return warning(check, found, `add to ${source}: ${line} (${figures})`);
}
