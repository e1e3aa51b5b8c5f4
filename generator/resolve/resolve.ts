import { isPublicRule } from "../../runtime/values/access-rule.js";
import { freezeDeep } from "../../runtime/values/freeze.js";
import { compareProblems, type Problem } from "../../runtime/values/problem.js";
import type { RecordId } from "../../runtime/values/schema/id-types.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import type { Field } from "../kind/kinds.js";
import { throughOf } from "../kind/list/links.js";
import type { IndexField, Model } from "../model/model.js";
import { namesOf } from "../model/names.js";
import { accessOf, rulesOf, simplified } from "./access/access.js";
import { cacheProblems } from "./access/cache.js";
import { fieldAccessProblems } from "./access/field-access.js";
import { cascadeProblems, trashProblems } from "./cascades.js";
import { fieldClashes, operationClashes, resourceClashes } from "./clashes.js";
import { computedProblems, withExpressions } from "./computed.js";
import { conditionProblems, meant } from "./conditions/conditions.js";
import { type Place, placeOf } from "./conditions/place.js";
import { type UndecidedResource, withDeletions } from "./deletion.js";
import { fieldOf, type Reach } from "./field.js";
import { formerNameProblems, type IsRenamed } from "./former-names.js";
import { inverseProblems, inversesOf, linkNames, listNames } from "./inverses.js";
import { limitProblems } from "./limits.js";
import { columnIn, targetOf } from "./names/stored.js";
import { timeProblems } from "./names/times.js";
import { ownerOf, ownerProblems } from "./owners.js";
import { profileProblems } from "./profiles.js";
import { relationProblems } from "./relations.js";
import { screenProblems } from "./screens.js";
import { searchProblems } from "./search/problems.js";
import { searchOf } from "./search/search.js";
import { teamOf, teamProblems } from "./team/team.js";

/**
 * Converts the descriptors to a model, with all problems in reading order; the model is null if there are any.
 * `profiles` are the app's image profiles; null accepts any name. `isRenamed` reports the `was` entries that migrations
 * have already applied.
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
    ...operationClashes(descriptors),
    ...descriptors.flatMap(fieldClashes),
    ...formerNameProblems(descriptors, isRenamed),
    ...relationProblems(descriptors),
    ...inverseProblems(descriptors),
    ...ownerProblems(descriptors),
    ...trashProblems(descriptors),
    ...teamProblems(descriptors),
    ...conditionProblems(descriptors),
    ...cacheProblems(descriptors),
    ...fieldAccessProblems(descriptors),
    ...limitProblems(descriptors),
    ...computedProblems(descriptors),
    ...cascadeProblems(descriptors),
    ...profileProblems(descriptors, profiles),
    ...descriptors.flatMap(timeProblems),
    ...screenProblems(descriptors),
    ...searchProblems(descriptors),
  ];
  return {
    model: problems.length === 0 ? modelOf(descriptors) : null,
    problems: inReadingOrder(problems),
  };
}

/** Sorts the problems and removes duplicates, as a mistake behind a YAML alias is found at every use. */
function inReadingOrder(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort(compareProblems).filter((problem, index, sorted) => {
    const before = sorted[index - 1];
    return before === undefined || compareProblems(before, problem) !== 0;
  });
}

function modelOf(descriptors: readonly Descriptor[]): Model {
  const inverses = inversesOf(descriptors);
  const resources = descriptors.map((descriptor) =>
    resourceOf(descriptor, placeOf(descriptor, descriptors), {
      linkTo: (to) => targetOf(to, descriptors),
      inverses: inverses.get(descriptor.name) ?? [],
      search: searchOf(descriptor, descriptors),
      ...(teamOf(descriptor, descriptors) ?? {
        owner: ownerOf(descriptor, descriptors),
        team: null,
      }),
    }),
  );
  return freezeDeep(withDeletions(resources));
}

function resourceOf(
  descriptor: Descriptor,
  place: Place,
  {
    linkTo,
    inverses,
    search,
    owner,
    team,
  }: Pick<UndecidedResource, "inverses" | "search" | "owner" | "team"> & Pick<Reach, "linkTo">,
): UndecidedResource {
  const {
    name,
    source,
    display,
    was,
    from,
    id,
    isCounted,
    times,
    zones,
    access,
    changes,
    trash,
    cache,
    unique,
    indexes,
  } = descriptor;
  const reach = { isPublic: isPublicResource(descriptor), linkTo };
  const fields = withExpressions(
    descriptor,
    descriptor.fields.map((field) => withKey(fieldOf(field, reach), id)),
  );
  return {
    name,
    source: source.file,
    ...namesOf(descriptor),
    display,
    was,
    from,
    id,
    isCounted,
    times,
    zones,
    access: accessOf(access, place, { isGroup: owner?.length === 0 }),
    owner,
    team,
    changes: changes && {
      ...changes,
      access: access.history === undefined ? null : meant(simplified(access.history), place),
    },
    trash:
      trash === null
        ? null
        : {
            days: trash,
            purge: access.purge === undefined ? null : meant(simplified(access.purge), place),
          },
    search,
    cache,
    fields,
    stored: fields.filter((field) => field.computed === null && throughOf(field) === null),
    links: linkNames(descriptor),
    lists: listNames(descriptor),
    inverses,
    uniques: unique,
    indexes: indexes.map((list) => list.map((written) => indexField(descriptor, written))),
  };
}

/** Adds the referenced key to a list whose links are stored in an adopted join table; other fields are unchanged. */
function withKey(field: Field, id: RecordId): Field {
  if (!("through" in field) || field.through === null) return field;
  return { ...field, through: { ...field.through, id } };
}

function indexField(descriptor: Descriptor, written: string): IndexField {
  const descending = written.startsWith("-");
  const name = descending ? written.slice(1) : written;
  return { name, column: columnIn(descriptor, name), descending };
}

/** Whether callers without a token can read or create records. */
function isPublicResource({ access }: Descriptor): boolean {
  return Object.values(rulesOf(access)).some(isPublicRule);
}
