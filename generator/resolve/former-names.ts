import type { Problem } from "../../runtime/values/problem.js";
import type { Path } from "../../runtime/values/yaml/position.js";
import type { Descriptor, FieldDescriptor } from "../descriptor/descriptor.js";
import { type DescriptorIssue, problemOf } from "../descriptor/source.js";

/** Whether the resource, or a field of it, has already been renamed from that name. */
export type IsRenamed = (resource: string, field: string | null, was: string) => boolean;

/** Checks that each `was` is a single rename from a name that is unused, or that another rename takes over. */
export function formerNameProblems(
  descriptors: readonly Descriptor[],
  isRenamed: IsRenamed,
): readonly Problem[] {
  const resources = descriptors.map(({ name, was }) => ({ name, was, path: ["was"] }));
  const ofResources = formerNames(resources, (name, was) => isRenamed(name, null, was)).flatMap(
    ({ name, issue }) =>
      descriptors
        .filter((descriptor) => descriptor.name === name)
        .map(({ source }) => problemOf(source, issue)),
  );
  const ofFields = descriptors.flatMap(({ name: resource, was: former, fields, source }) => {
    const isDone = (name: string, was: string) =>
      [resource, former].some((one) => one !== null && isRenamed(one, name, was));
    return formerNames(fields.map(named), isDone).map(({ issue }) => problemOf(source, issue));
  });
  return [...ofResources, ...ofFields];
}

interface Named {
  readonly name: string;
  readonly was: string | null;
  readonly path: Path;
}

function named({ name, options }: FieldDescriptor): Named {
  const { was } = options;
  return { name, was: typeof was === "string" ? was : null, path: ["fields", name, "was"] };
}

type IsDone = (name: string, was: string) => boolean;

function formerNames(
  all: readonly Named[],
  isDone: IsDone,
): readonly { name: string; issue: DescriptorIssue }[] {
  return all.flatMap(({ name, was, path }, index) => {
    if (was === null || isDone(name, was)) return [];
    const message = mistake({ name, was }, all.slice(0, index), all);
    return message === null ? [] : [{ name, issue: { path, at: "value", message, hint } }];
  });
}

const hint = `"was" takes a former name, which must not be in use`;

function mistake(
  { name, was }: { readonly name: string; readonly was: string },
  earlier: readonly Named[],
  all: readonly Named[],
): string | null {
  const other = earlier.find((candidate) => candidate.was === was);
  if (was === name) {
    return `"was" is the current name`;
  }
  const holder = all.find((candidate) => candidate.name === was);
  if (holder !== undefined && (holder.was === null || holder.was === was)) return stillThere(was);
  return other === undefined
    ? null
    : `"was" is "${was}", which is also the "was" of "${other.name}"`;
}

function stillThere(was: string): string {
  return `"was" is "${was}", which still exists`;
}

/** The issue of a rename from a name that is still in use. */
export function keptName(path: Path, was: string): DescriptorIssue {
  return { path, at: "value", message: stillThere(was), hint };
}
