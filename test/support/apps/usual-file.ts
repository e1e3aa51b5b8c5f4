import type { ImportRequest } from "../../../runtime/data/index.js";

/** A file as `service export` writes it, of which everything is imported. */
export const usualFile = {
  encoding: "utf-8",
  decimal: ".",
  dateFormat: null,
  timezone: null,
  nulls: [],
  values: {},
  set: {},
  join: {},
} as const satisfies Partial<ImportRequest>;
