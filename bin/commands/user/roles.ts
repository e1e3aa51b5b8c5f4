import { findDescriptors } from "../../../generator/descriptor/find.js";
import { readDescriptors } from "../../../generator/descriptor/read.js";
import { resolveModel } from "../../../generator/resolve/resolve.js";
import { didYouMean } from "../../../runtime/values/nearest.js";
import { warn } from "../../report.js";

/**
 * Warns of a role that no descriptor names while some name others: it is probably misspelt, though an
 * app's own code may use it. Where descriptors have errors, the roles are unknown and nothing is reported.
 */
export function warnOfUnknownRole(root: string, role: string): void {
  const { model } = resolveModel(readDescriptors(findDescriptors(root)), null);
  if (model === null) return;
  const named = model.resources.flatMap(({ access }) =>
    Object.values(access).flatMap((rule) => (typeof rule === "string" ? [] : rule)),
  );
  if (named.length === 0 || named.includes(role)) return;
  const guess = didYouMean(role, [...new Set(named)]);
  warn(`No descriptor names the role "${role}"${guess === null ? "" : `; ${guess}`}`);
}
