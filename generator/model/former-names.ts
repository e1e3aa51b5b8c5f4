import type { Descriptor, FieldDescriptor } from "../descriptor/descriptor.js";
import { type Complaint, type Path, problemOf } from "../descriptor/source.js";
import type { Problem } from "../problem.js";

/** What `was` says must be one rename: from a name that nothing has any more, to one new name. */
export function formerNameProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  const resources = descriptors.map(({ name, was }) => ({ name, was, path: ["was"] }));
  const ofResources = formerNames(resources).flatMap(({ name, complaint }) =>
    descriptors
      .filter((descriptor) => descriptor.name === name)
      .map(({ source }) => problemOf(source, complaint)),
  );
  const ofFields = descriptors.flatMap(({ fields, source }) =>
    formerNames(fields.map(named)).map(({ complaint }) => problemOf(source, complaint)),
  );
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

function formerNames(all: readonly Named[]): readonly { name: string; complaint: Complaint }[] {
  return all.flatMap(({ name, was, path }, index) => {
    const message = was === null ? null : mistake(was, name, all.slice(0, index), all);
    const hint = `"was" is for a name that changed: nothing has it any more`;
    return message === null ? [] : [{ name, complaint: { path, at: "value", message, hint } }];
  });
}

function mistake(
  was: string,
  name: string,
  earlier: readonly Named[],
  all: readonly Named[],
): string | null {
  const other = earlier.find((candidate) => candidate.was === was);
  if (was === name) {
    return `"was" is the name that it has now`;
  }
  if (all.some((candidate) => candidate.name === was)) {
    return `"was" is "${was}", which is still there`;
  }
  return other === undefined ? null : `"was" is "${was}", as that of "${other.name}"`;
}
