import { extname } from "node:path";

export const formats = ["csv", "json", "ndjson"] as const;

export type Format = (typeof formats)[number];

const byExtension: Readonly<Record<string, Format>> = {
  ".csv": "csv",
  ".json": "json",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
};

/** The format of a file by its extension; null if it is not supported. */
export function formatOfName(path: string): Format | null {
  return byExtension[extname(path).toLowerCase()] ?? null;
}
