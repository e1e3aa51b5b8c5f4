import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { openDatabase } from "../../db/index.js";
import { reasonOf } from "../../errors/index.js";
import type { Column } from "../../resource/index.js";
import { columnsOf, type StoredResource, storedTables } from "../app/tables.js";
import { CommandRefused } from "../exit.js";
import { count, type Finding } from "../report.js";
import { ok, warning } from "./finding.js";
import { type IndexKey, type LinkedOrder, missingIndex, type SlowQuery } from "./missing-index.js";

const check = "slow queries";

/** Maximum number of queries to examine, the most frequently slow ones first. */
const maxQueries = 50;

/** Analyzes slow lists and statistics in a server's log, and names the index that would speed up each. */
export async function checkSlow(
  root: string,
  url: string,
  log: string,
): Promise<readonly Finding[]> {
  const { resources } = storedTables(root);
  const seen = await readLog(log);
  if (seen.length === 0) return [ok(check, "none in the log")];
  const db = openDatabase({ url, poolSize: 1, prepare: true });
  const findings: Finding[] = [];
  try {
    for (const query of seen) {
      const resource = resources.find(({ name }) => name === query.shape.resource);
      const slow = resource === undefined ? null : slowQuery(resource, query.shape, resources);
      if (resource === undefined || slow === null) continue;
      const missing = await db.transaction((connection) => missingIndex(connection, slow));
      findings.push(findingOf(resource, query, missing));
    }
  } finally {
    await db.close();
  }
  return findings.length === 0
    ? [ok(check, "none that applies to the current resources")]
    : findings;
}

/** The content of a statement's comment; see `shapeComment`. */
interface Shape {
  readonly resource: string;
  readonly values: readonly string[];
  readonly ranges: readonly string[];
  /** Empty for counts and sums. */
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
    throw new CommandRefused(
      `The log cannot be read: ${reasonOf(error)}`,
      "name a file with the server's log, or -",
    );
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    // A log also has other lines.
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

/** Returns the query; null if a field no longer exists, or is sorted in an order that no index has. */
function slowQuery(
  resource: StoredResource,
  shape: Shape,
  resources: readonly StoredResource[],
): SlowQuery | null {
  const { values, ranges, sort } = shape;
  const [equal, bounded] = [values, ranges].map((names) => keysOf(resource, names));
  // After a linked field, records are no longer in the order of an index.
  const further = sort.findIndex((written) => written.includes("."));
  const own = further < 0 ? sort : sort.slice(0, further);
  const isLast = own.at(-1)?.replace("-", "") === "id";
  const sorted = keysOf(resource, isLast ? own.slice(0, -1) : own);
  const linked = further === 0 ? linkedOrder(resource, sort, resources) : null;
  if (equal == null || bounded == null || sorted === null) return null;
  if (further === 0 && linked === null) return null;
  const order = sort.length === 0 ? null : sorted;
  const { source, table } = resource;
  const id = columnsOf(resource).id.name;
  return { source, table, id, values: equal, ranges: bounded, sort: order, linked };
}

/** Returns the fields as index keys; null if one of them no longer exists. */
function keysOf(resource: StoredResource, names: readonly string[]): readonly IndexKey[] | null {
  const keys = names.map((written) => keyOf(resource, written));
  const sound = keys.flatMap((key) => key ?? []);
  return sound.length < keys.length ? null : sound;
}

function keyOf(resource: StoredResource, written: string): IndexKey | null {
  const descending = written.startsWith("-");
  const name = descending ? written.slice(1) : written;
  const column = new Map<string, Column>(Object.entries(columnsOf(resource))).get(name);
  if (column === undefined) return null;
  const isIndexable = !resource.unordered.includes(name);
  return { name, column: column.name, descending, canBeEmpty: !column.required, isIndexable };
}

/** Returns the leading sort fields of the same linked records; an index in one direction serves both directions. */
function linkedOrder(
  resource: StoredResource,
  [first = "", ...others]: readonly string[],
  resources: readonly StoredResource[],
): LinkedOrder | null {
  const path = pathOf(first);
  const steps = stepsOf(resource, path, resources);
  const target = steps?.at(-1)?.to;
  if (steps === null || target === undefined) return null;
  const end = others.findIndex((written) => pathOf(written).join() !== path.join());
  const same = [first, ...(end < 0 ? others : others.slice(0, end))];
  const isReversed = first.startsWith("-");
  const names = same.map((written) => {
    const name = written.split(".").at(-1) ?? "";
    return written.startsWith("-") === isReversed ? name : `-${name}`;
  });
  const keys = keysOf(target, names);
  const links = steps.map(({ column, to }) => ({
    column,
    table: to.table,
    id: columnsOf(to).id.name,
  }));
  return keys && { source: target.source, links, keys };
}

/** Returns `["order", "customer"]` for `-order.customer.name`. */
function pathOf(written: string): readonly string[] {
  return written.replace("-", "").split(".").slice(0, -1);
}

/**
 * Returns each link of a path with its column and target resource; null if a link no longer exists or leads to
 * accounts.
 */
function stepsOf(
  { links, columns }: StoredResource,
  [name, ...others]: readonly string[],
  resources: readonly StoredResource[],
): readonly { readonly column: string; readonly to: StoredResource }[] | null {
  if (name === undefined) return [];
  const link = Object.hasOwn(links, name) ? links[name] : undefined;
  const to = resources.find((one) => one.name === link?.resource);
  const column = columns[link?.field ?? ""]?.name;
  if (to === undefined || column === undefined) return null;
  const further = stepsOf(to, others, resources);
  return further && [{ column, to }, ...further];
}

function findingOf(
  { name }: StoredResource,
  { shape, times, slowest }: Seen,
  missing: Awaited<ReturnType<typeof missingIndex>>,
): Finding {
  const filtered = [...shape.values, ...shape.ranges];
  const sorted = `sort ${shape.sort.filter((one) => !/^-?id$/.test(one)).join(", ") || "id"}`;
  const question = [
    ...(filtered.length === 0 ? [] : [`filter ${filtered.join(", ")}`]),
    shape.sort.length === 0 ? "statistics" : sorted,
  ];
  const found = `${name}, ${question.join(", ")}: ${count(times, "time")}, up to ${slowest} ms`;
  if (missing === null)
    return warning(check, found, "no index helps; narrow the query or request fewer records");
  const { keys, source, cost } = missing;
  const line = `indexes: [[${keys.map(({ name, descending }) => (descending ? "-" : "") + name).join(", ")}]]`;
  return warning(
    check,
    found,
    `add to ${source}: ${line} (the planner's cost is ${cost} without it)`,
  );
}
