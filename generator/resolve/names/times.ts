import type { Problem } from "../../../runtime/values/problem.js";
import { timeNames, usualTimes } from "../../../runtime/values/schema/record-times.js";
import type { Descriptor } from "../../descriptor/descriptor.js";
import { problemOf } from "../../descriptor/source.js";

/**
 * Returns problems with uses of times that records do not have, and with a trash whose records could not get a new
 * `updatedAt`.
 */
export function timeProblems(descriptor: Descriptor): readonly Problem[] {
  const { source, times, indexes, display, trash } = descriptor;
  const missing = timeNames.filter((name) => times[name] === null);
  const isMissing = (written: string) =>
    missing.some((name) => written === name || written === `-${name}`);
  const named = (path: readonly (string | number)[], name: string): Problem => {
    const key = String(path[0]);
    const message = `"${key}" names "${name.replace("-", "")}", which is set to none`;
    return problemOf(source, { path, at: "value", message, hint: "leave it out" });
  };
  const { updatedAt } = times;
  const isUnset = trash !== null && updatedAt !== null && updatedAt !== usualTimes.updatedAt;
  const unset = {
    path: ["trash"],
    at: "key",
    message: `"trash" needs the default column of "updatedAt", or none`,
    hint: "remove trash, or write updatedAt: none",
  } as const;
  return [
    ...indexes.flatMap((list, at) =>
      list.flatMap((name, index) => (isMissing(name) ? [named(["indexes", at, index], name)] : [])),
    ),
    ...(display.list ?? []).flatMap((name, at) =>
      isMissing(name) ? [named(["list", at], name)] : [],
    ),
    ...(isUnset ? [problemOf(source, unset)] : []),
  ];
}
