import type { Schema } from "../schema.js";

/** The path of the file with the schema after the newest migration. */
export const snapshotPath = "migrations/schema.json";

export function snapshotText(schema: Schema): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
