import { extname } from "node:path";

/** The forms of files with records. */
export const formats = ["csv", "json", "ndjson"] as const;

export type Format = (typeof formats)[number];

const byExtension: Readonly<Record<string, Format>> = {
  ".csv": "csv",
  ".json": "json",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
};

/** The format that the extension of a file's name stands for; null for any other. */
export function formatOfName(path: string): Format | null {
  return byExtension[extname(path).toLowerCase()] ?? null;
}
