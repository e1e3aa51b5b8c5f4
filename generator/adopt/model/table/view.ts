import type { FoundTable } from "../../catalogue/catalogue.js";

export function isView({ kind }: Pick<FoundTable, "kind">): boolean {
  return kind === "view" || kind === "materialized-view";
}
