import type { Problem } from "../../runtime/values/problem.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { type DescriptorIssue, problemOf } from "../descriptor/source.js";
import type { Model, Resource } from "../model/model.js";

/** Returns the issues of each resource as problems at their positions in its descriptor. */
export function problemsOf(
  descriptors: readonly Descriptor[],
  { resources }: Model,
  issuesOf: (resource: Resource) => readonly DescriptorIssue[],
): readonly Problem[] {
  const sources = new Map(descriptors.map(({ name, source }) => [name, source]));
  return resources.flatMap((resource) => {
    const source = sources.get(resource.name);
    return source === undefined ? [] : issuesOf(resource).map((issue) => problemOf(source, issue));
  });
}

/** Returns an issue at a key of the descriptor. */
export function issue(
  path: string | readonly string[],
  message: string,
  hint: string,
): DescriptorIssue {
  return { path: typeof path === "string" ? [path] : path, at: "key", message, hint };
}
