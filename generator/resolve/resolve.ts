import { freezeDeep } from "../../runtime/values/freeze.js";
import { compareProblems, type Problem } from "../../runtime/values/problem.js";
import type { Descriptor, FieldDescriptor } from "../descriptor/descriptor.js";
import type { Field } from "../kind/kinds.js";
import { commonShape } from "../kind/options.js";
import type { IndexField, Model } from "../model/model.js";
import { columnOf, namesOf } from "../model/names.js";
import { accessOf } from "./access.js";
import { cascadeProblems } from "./cascades.js";
import { fieldClashes, resourceClashes } from "./clashes.js";
import { type UndecidedResource, withDeletions } from "./deletion.js";
import { formerNameProblems, type IsRenamed } from "./former-names.js";
import { limitProblems } from "./limits.js";
import { profileProblems } from "./profiles.js";
import { relationProblems, targetOf } from "./relations.js";

/**
 * The descriptors as a model, with the problems of reading them and those between them, in reading
 * order. The model is null when there is any. `profiles` are the app's own for images, besides the
 * built-in ones; where they are null, any name is accepted. `isRenamed` says which `was` the migrations
 * have already followed.
 */
export function resolveModel(
  read: {
    readonly descriptors: readonly Descriptor[];
    readonly problems: readonly Problem[];
  },
  profiles: readonly string[] | null,
  isRenamed: IsRenamed = () => false,
): { model: Model | null; problems: readonly Problem[] } {
  const { descriptors } = read;
  const problems = [
    ...read.problems,
    ...resourceClashes(descriptors),
    ...descriptors.flatMap(fieldClashes),
    ...formerNameProblems(descriptors, isRenamed),
    ...relationProblems(descriptors),
    ...limitProblems(descriptors),
    ...cascadeProblems(descriptors),
    ...profileProblems(descriptors, profiles),
  ];
  return {
    model: problems.length === 0 ? modelOf(descriptors) : null,
    problems: inReadingOrder(problems),
  };
}

/** The problems sorted, each once: a mistake behind an alias is found at every use. */
function inReadingOrder(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort(compareProblems).filter((problem, index, sorted) => {
    const before = sorted[index - 1];
    return before === undefined || compareProblems(before, problem) !== 0;
  });
}

function modelOf(descriptors: readonly Descriptor[]): Model {
  return freezeDeep({ resources: withDeletions(descriptors.map(resourceOf)) });
}

function resourceOf(descriptor: Descriptor): UndecidedResource {
  const { name, source, was, access, fields, unique, indexes } = descriptor;
  return {
    name,
    source: source.file,
    ...namesOf(descriptor),
    was,
    access: accessOf(access),
    fields: fields.map(fieldOf),
    uniques: unique,
    indexes: indexes.map((list) => list.map(indexField)),
  };
}

function indexField(written: string): IndexField {
  const descending = written.startsWith("-");
  const name = descending ? written.slice(1) : written;
  return { name, column: columnOf(name), descending };
}

function fieldOf({ name, kind, options }: FieldDescriptor): Field {
  if (kind === null) {
    throw new Error(`field ${name} has no type, and no problem says so`);
  }
  const {
    required = false,
    label = null,
    description = null,
    was = null,
  } = commonShape.parse(options);
  const common = { name, column: columnOf(name), label, description, was, required };
  return kind.field(common, options, targetOf);
}
