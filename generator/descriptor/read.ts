import { didYouMean } from "../../runtime/values/nearest.js";
import type { Problem } from "../../runtime/values/problem.js";
import { usualId } from "../../runtime/values/schema/id-types.js";
import { usualTimes } from "../../runtime/values/schema/record-times.js";
import { listWords } from "../../runtime/values/text.js";
import { pathKey } from "../../runtime/values/yaml/position.js";
import { resourceNamePattern } from "../kind/field.js";
import { noZones } from "../model/times.js";
import { readAccess } from "./access/access.js";
import type { Descriptor } from "./descriptor.js";
import { isFieldOption, readFields } from "./fields.js";
import type { DescriptorFile } from "./find.js";
import { misplacedField, readOptions, type Subject } from "./issues.js";
import { readFieldLists } from "./lists/field-lists.js";
import { parseDescriptor } from "./parse.js";
import { historyIssues, readChanges } from "./section/changes.js";
import { noDisplay, readDisplay } from "./section/display.js";
import { readId } from "./section/id.js";
import { readTeam } from "./section/owner.js";
import { readSearch } from "./section/search.js";
import { readTimes } from "./section/times.js";
import { purgeIssues, readTrash } from "./section/trash.js";
import { descriptorShape, isMap } from "./shape.js";
import { type DescriptorIssue, problemOf } from "./source.js";

/**
 * Reads every file as a descriptor, sorted by name, and collects all problems. A faulty file yields a descriptor of its
 * readable parts, so that links to it resolve.
 */
export function readDescriptors(files: readonly DescriptorFile[]): {
  descriptors: readonly Descriptor[];
  problems: readonly Problem[];
} {
  const descriptors = new Map<string, Descriptor>();
  const problems: Problem[] = [];
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const file of sorted) {
    if (file.refused !== undefined) continue;
    const name = nameOf(file);
    const read = readDescriptor(file, name);
    problems.push(...read.problems);
    const first = descriptors.get(name);
    if (first === undefined) {
      descriptors.set(name, read.descriptor);
    } else {
      problems.push(duplicateResource(file, name, first));
    }
  }
  for (const file of sorted) {
    if (file.refused === undefined) continue;
    const name = nameOf(file);
    problems.push({ file: file.path, line: 1, column: 1, ...file.refused });
    if (!descriptors.has(name)) descriptors.set(name, unread(file, name));
  }
  return { descriptors: [...descriptors.values()].sort(byName), problems };
}

function unread({ path }: DescriptorFile, name: string): Descriptor {
  return { name, source: { file: path, positions: new Map() }, ...noParts };
}

function nameOf({ path }: DescriptorFile): string {
  return path.replace(/^.*\//, "").replace(/\.[^.]+$/, "");
}

function byName(a: Descriptor, b: Descriptor): number {
  return a.name < b.name ? -1 : 1;
}

function duplicateResource({ path }: DescriptorFile, name: string, first: Descriptor): Problem {
  const message = `the resource "${name}" is already described by ${first.source.file}`;
  return { file: path, line: 1, column: 1, message, hint: "keep one of the two files" };
}

function readDescriptor(
  file: DescriptorFile,
  name: string,
): { descriptor: Descriptor; problems: readonly Problem[] } {
  const { value, unknown, source, problems: syntax } = parseDescriptor(file);
  const naming = checkName(name, file.path);
  const { parts, issues } =
    value === null && syntax.length > 0
      ? { parts: noParts, issues: [] }
      : readContent(value, unknown);
  const problems = [
    ...naming.map((issue) => problemOf(source, issue)),
    ...syntax,
    ...issues
      .filter(({ path }) => !unknown.has(pathKey(path)))
      .map((issue) => problemOf(source, issue)),
  ];
  return { descriptor: { name, source, ...parts }, problems };
}

type Parts = Omit<Descriptor, "name" | "source">;

const noParts: Parts = {
  label: null,
  singular: null,
  display: noDisplay,
  was: null,
  from: null,
  table: null,
  isCounted: true,
  id: usualId,
  times: usualTimes,
  zones: noZones,
  access: {},
  owner: null,
  team: null,
  changes: null,
  trash: null,
  search: null,
  cache: null,
  fields: [],
  unique: [],
  indexes: [],
};

function readContent(
  value: unknown,
  unknown: ReadonlySet<string>,
): { parts: Parts; issues: readonly DescriptorIssue[] } {
  if (!isMap(value)) return { parts: noParts, issues: [notAMap(value)] };
  const team = readTeam(value.owner);
  const others = team === null ? value : { ...value, owner: undefined };
  const top = readOptions(descriptorShape, others, subjectOf(value));
  const written = descriptorShape.parse(top.options);
  const { label = null, singular = null, was = null, from = null } = written;
  const { table = null, cache = null } = written;
  const { owner, team: ownTeam } = team ?? { owner: written.owner ?? null, team: null };
  const named = value.owner === undefined ? "unknown" : "known";
  const { access, issues: accessIssues } = readAccess(value.access, named);
  const { id, issues: idIssues } = readId(value.id);
  const { times, zones, issues: timeIssues } = readTimes(value);
  const { changes, issues: changesIssues } = readChanges(value.changes);
  const { trash, issues: trashIssues } = readTrash(value.trash);
  const { search, issues: searchIssues } = readSearch(value.search);
  const { fields, issues: fieldIssues } = readFields(value.fields);
  // If `fields` as a whole cannot be read, unknown field names cannot be detected.
  const isMisspelt = value.fields === undefined && top.issues.length > 0;
  const known = isMisspelt || areUnknown(fieldIssues, unknown) ? null : fields;
  const { display, issues: displayIssues } = readDisplay(written, known);
  const unique = readFieldLists("unique", value.unique, known);
  const indexes = readFieldLists("indexes", value.indexes, known);
  return {
    parts: {
      label,
      singular,
      display,
      was,
      from,
      table,
      isCounted: written.triggers !== "none",
      id,
      times,
      zones,
      access,
      owner,
      team: ownTeam,
      changes,
      trash,
      search,
      cache,
      fields,
      unique: unique.lists,
      indexes: indexes.lists,
    },
    issues: [
      ...top.issues,
      ...(team?.issues ?? []),
      ...idIssues,
      ...timeIssues,
      ...accessIssues,
      ...changesIssues,
      ...(changesIssues.length === 0 ? historyIssues(access, changes) : []),
      ...trashIssues,
      ...purgeIssues(access, value.trash),
      ...searchIssues,
      ...fieldIssues,
      ...displayIssues,
      ...unique.issues,
      ...indexes.issues,
    ],
  };
}

function notAMap(value: unknown): DescriptorIssue {
  const message =
    value === null
      ? "this descriptor is empty"
      : "a descriptor must be a map with a key such as fields at its top";
  return { path: [], at: "value", message, hint: "the shortest descriptor is fields: {}" };
}

/** Whether `fields` as a whole is malformed, or could not be parsed. */
function areUnknown(issues: readonly DescriptorIssue[], unknown: ReadonlySet<string>): boolean {
  return unknown.has(pathKey(["fields"])) || issues.some(({ path }) => path.length === 1);
}

function subjectOf(written: Readonly<Record<string, unknown>>): Subject {
  const keys = Object.keys(descriptorShape.shape);
  return {
    name: "a descriptor",
    part: "key",
    path: [],
    example: "fields: {}",
    hintFor(key) {
      const value = written[key];
      if (key.includes(":")) {
        return "a colon needs a space after it";
      }
      if (isMap(value) && "type" in value) {
        return misplacedField;
      }
      return isFieldOption(key)
        ? "it is a field option: write it in a field"
        : (didYouMean(key, keys) ?? `its keys are ${listWords(keys)}`);
    },
  };
}

function checkName(name: string, path: string): readonly DescriptorIssue[] {
  if (resourceNamePattern.test(name)) {
    return [];
  }
  const better = name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[-_ .]+/g, "-")
    .replace(/^-|-$/g, "");
  const ending = path.replace(/^.*\./, "");
  const rule =
    "a name begins with a letter and contains only lower-case letters, digits and single dashes between words";
  const isGood = resourceNamePattern.test(better);
  const hint = isGood ? `rename the file to ${better}.${ending}; ${rule}` : rule;
  return [{ path: [], at: "value", message: `"${name}" cannot be a resource's name`, hint }];
}
