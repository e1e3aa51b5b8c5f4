import type { Problem } from "../../runtime/values/problem.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { problemOf } from "../descriptor/source.js";
import { type Link, linksOf } from "./relations.js";

/**
 * Maximum number of resources in a cascade. A delete locks the tables of all records deleted with it, their indexes and
 * tallies. Measured for 100 resources: 907 locks with one link each, 1,495 with two, planned in 30 to 150 ms; twice
 * that for 200. By default PostgreSQL has room for 6,400 locks of all connections, of which one delete may take a
 * quarter. More may fit, but that is not guaranteed.
 */
const maxCascading = 100;

/** Returns a problem for each resource whose delete would cascade to too many resources, at the first link to it. */
export function cascadeProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  const cascading = descriptors.flatMap(linksOf).filter(({ cascades }) => cascades);
  const byTarget = new Map<string, Link[]>();
  for (const link of cascading) byTarget.set(link.to, [...(byTarget.get(link.to) ?? []), link]);
  // A resource reached by a cascade is counted as part of that cascade.
  const deleted = new Set(cascading.map(({ from }) => from.name));
  return [...byTarget].flatMap(([target, [first]]) => {
    if (first === undefined || deleted.has(target)) return [];
    const { size } = deletedWith(target, byTarget);
    if (size <= maxCascading) return [];
    return problemOf(first.from.source, {
      path: ["fields", first.field, "onDelete"],
      at: "value",
      message: `by "onDelete", deleting a record of "${target}" would delete records of ${size} resources, and the limit is ${maxCascading}`,
      hint: "leave out onDelete: cascade if such a record may refuse the delete instead",
    });
  });
}

/**
 * Returns problems with cascades between a resource with a trash and one without, whose records could not be restored
 * together.
 */
export function trashProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  const byName = new Map(descriptors.map((descriptor) => [descriptor.name, descriptor]));
  return descriptors.flatMap(linksOf).flatMap(({ from, field, to: name, cascades }) => {
    const to = byName.get(name);
    if (!cascades || to === undefined || (from.trash === null) === (to.trash === null)) return [];
    const [kept, lost] = from.trash === null ? [to, from] : [from, to];
    return problemOf(from.source, {
      path: ["fields", field, "onDelete"],
      at: "value",
      message: `"onDelete" of "${field}" deletes records together, but "${kept.name}" has a trash and "${lost.name}" does not`,
      hint: `write trash in ${lost.source.file} too, or leave out onDelete: cascade`,
    });
  });
}

function deletedWith(
  target: string,
  byTarget: ReadonlyMap<string, readonly Link[]>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const queued = [target];
  for (let next = queued.pop(); next !== undefined; next = queued.pop()) {
    for (const { from } of byTarget.get(next) ?? []) {
      if (found.has(from.name)) continue;
      found.add(from.name);
      queued.push(from.name);
    }
  }
  return found;
}
