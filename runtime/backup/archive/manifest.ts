import { z } from "zod";
import { BackupProblem } from "./problem.js";

/** The archive format that this release writes, and the highest that it can read. */
const format = 1;

export const manifestName = "manifest.json";
export const sumsName = "sums.json";
export const tablePrefix = "tables/";
export const filePrefix = "files/";

/** Maximum size in bytes of each of the two JSON entries; the sums of 500,000 files fit. */
export const maxManifestBytes = 4 * 1024 * 1024;
export const maxSumsBytes = 128 * 1024 * 1024;

const migrationShape = z.object({
  source: z.enum(["package", "app"]),
  name: z.string(),
  checksum: z.string(),
});

const manifestShape = z.object({
  format: z.literal(format),
  service: z.string(),
  createdAt: z.string(),
  /** The migrations that created the tables, in the order in which they were applied. */
  migrations: z.array(migrationShape),
  /** The columns of each table, in the order of its rows: `{ "public.products": ["id", "name"] }`. */
  tables: z.record(z.string(), z.array(z.string())),
});

const sumsShape = z.object({
  /** SHA-256 in hex of every other entry, by name. */
  sums: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
  /** Number of rows of each table: `{ "public.products": 12 }`. */
  rows: z.record(z.string(), z.number().int().nonnegative()),
});

export type ArchivedMigration = z.infer<typeof migrationShape>;
export type Manifest = z.infer<typeof manifestShape>;
export type Sums = z.infer<typeof sumsShape>;

export function writeManifest(manifest: Omit<Manifest, "format">): string {
  return `${JSON.stringify({ format, ...manifest }, null, 2)}\n`;
}

export function writeSums(sums: ReadonlyMap<string, string>, rows: ReadonlyMap<string, number>) {
  const written: Sums = { sums: Object.fromEntries(sums), rows: Object.fromEntries(rows) };
  return `${JSON.stringify(written, null, 1)}\n`;
}

/** @throws {BackupProblem} for a higher format, or a text that is not a manifest. */
export function readManifest(text: string): Manifest {
  const value = parsed(text, manifestName);
  const found = z.object({ format: z.number() }).safeParse(value);
  if (found.success && found.data.format > format) {
    throw new BackupProblem(
      `The archive has the format ${found.data.format}; this version reads ${format}`,
      "install the version of the package that created the archive, or a later one",
    );
  }
  return shaped(manifestShape, value, manifestName);
}

/** @throws {BackupProblem} for a text that is not a list of sums. */
export function readSums(text: string): Sums {
  return shaped(sumsShape, parsed(text, sumsName), sumsName);
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(name);
  }
}

function shaped<T>(shape: z.ZodType<T>, value: unknown, name: string): T {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  throw malformed(name);
}

function malformed(name: string): BackupProblem {
  return new BackupProblem(`The archive was not made by service backup: ${name} is malformed`);
}
