import { didYouMean } from "../../runtime/values/nearest.js";
import { listWords } from "../../runtime/values/text.js";
import { fieldNamePattern } from "../kind/field.js";
import { type AnyKind, fieldWords, kindNamed, kinds, listed } from "../kind/kinds.js";
import { checkColumnDefault } from "../kind/option/column-default.js";
import { checkComputed } from "../kind/option/computed.js";
import { checkReadOnly } from "../kind/option/read-only.js";
import { readFieldAccess } from "./access/access.js";
import type { FieldDescriptor } from "./descriptor.js";
import { readOptions, type Subject } from "./issues.js";
import { isMap } from "./shape.js";
import type { DescriptorIssue } from "./source.js";

export interface ReadFields {
  readonly fields: readonly FieldDescriptor[];
  readonly issues: readonly DescriptorIssue[];
}

/** Reads the map below `fields`. If it is missing, the resource has no fields. */
export function readFields(written: unknown): ReadFields {
  if (written === undefined || written === null) {
    return { fields: [], issues: [] };
  }
  if (!isMap(written)) {
    const message = `"fields" must be a map from names to fields`;
    const hint = "write name: { type: string } on a separate line, without a dash";
    return { fields: [], issues: [{ path: ["fields"], at: "value", message, hint }] };
  }
  const names = Object.keys(written);
  if (names.length > maxFields) {
    const message = `a resource has at most ${maxFields} fields, and this one has ${names.length}`;
    const hint = "split it into several resources that link to each other";
    return { fields: [], issues: [{ path: ["fields"], at: "key", message, hint }] };
  }
  const read = Object.entries(written).map(([name, value]) => readField(name, value));
  return {
    fields: read.flatMap(({ fields }) => fields),
    issues: read.flatMap(({ issues }) => issues),
  };
}

/**
 * Maximum number of fields. PostgreSQL limits a table to 1,600 columns, and a row to 8 kB of values that cannot be
 * stored out of line.
 */
export const maxFields = 1000;

function readField(name: string, written: unknown): ReadFields {
  const naming = checkName(name);
  if (!isMap(written)) {
    const issue = notAField(name, written);
    return { fields: [unread(name)], issues: [...naming, issue] };
  }
  const named = kinds.find((candidate) => candidate.name === written.type);
  if (named === undefined) {
    const issue = unknownType(name, written.type);
    return { fields: [unread(name)], issues: [...naming, issue] };
  }
  const kind = named.canBeListed && written.list === true ? listed(named) : named;
  const path = ["fields", name];
  const { options, issues } = readOptions(kind.options, written, subjectOf(kind, path));
  const computed = kind === named ? checkComputed(options, kind.options) : [];
  const between = [
    ...kind.check(options),
    ...computed,
    ...checkReadOnly(options),
    ...checkColumnDefault(options),
  ].map(
    (problem): DescriptorIssue => ({ ...problem, path: [...path, ...problem.path], at: "value" }),
  );
  const { access, issues: accessIssues } = readFieldAccess(written.access, path);
  return {
    fields: [{ name, kind, options, access }],
    issues: [...naming, ...issues, ...between, ...accessIssues],
  };
}

function unread(name: string): FieldDescriptor {
  return { name, kind: null, options: {}, access: {} };
}

function checkName(name: string): readonly DescriptorIssue[] {
  if (fieldNamePattern.test(name)) {
    return [];
  }
  const better = name
    .replace(/[-_ .]+([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/^[A-Z]+/, (capitals) => capitals.toLowerCase());
  const rule = "a name is camelCase: a lower-case letter, then at most 62 letters and digits";
  const hint = fieldNamePattern.test(better) ? `${rule}, such as ${better}` : rule;
  const message = `"${name}" cannot be a field's name`;
  return [{ path: ["fields", name], at: "key", message, hint }];
}

function notAField(name: string, written: unknown): DescriptorIssue {
  const type = (kinds.find((kind) => kind.name === written) ?? kinds[0])?.name;
  return {
    path: ["fields", name],
    at: "value",
    message:
      written === null ? `field "${name}" is empty` : `field "${name}" must be a map of options`,
    hint: `write ${name}: { type: ${type} }`,
  };
}

function unknownType(name: string, type: unknown): DescriptorIssue {
  const names = kinds.map((kind) => kind.name);
  const all = `the types are ${listWords(names)}`;
  const path = ["fields", name, "type"];
  if (type === undefined || type === null) {
    return { path, at: "key", message: `field "${name}" has no type`, hint: all };
  }
  const word = typeof type === "string" ? type : JSON.stringify(type);
  const relation = otherRelations.get(normalizeWord(word));
  if (relation !== undefined) {
    return { path, at: "value", message: `"${word}" is not a field type`, hint: relation };
  }
  const instead = otherNames.get(word.toLowerCase());
  const hint = instead === undefined ? didYouMean(word, names) : `write ${instead}`;
  return { path, at: "value", message: `"${word}" is not a field type`, hint: hint ?? all };
}

/** Names that other tools use for the kinds, in lower case. */
const otherNames = new Map(kinds.flatMap((kind) => Object.entries(kind.otherNames)));

/** Relations of other tools, which are not field types here. */
const otherRelations: ReadonlyMap<string, string> = new Map(
  Object.entries({
    hasmany: "leave it out, and write a belongsTo in the other resource",
    onetomany: "leave it out, and write a belongsTo in the other resource",
    hasone: "leave it out, and write a belongsTo with unique: true in the other resource",
    onetoone: "write { type: belongsTo, resource: …, unique: true }",
    manytoone: "write { type: belongsTo, resource: … }",
  }),
);

/** Returns the same spelling for `many-to-many`, `many_to_many` and `manyToMany`. */
function normalizeWord(word: string): string {
  return word.toLowerCase().replace(/[-_ ]/g, "");
}

function subjectOf(kind: AnyKind, path: readonly string[]): Subject {
  const own = Object.keys(kind.options.shape);
  return {
    name: fieldWords(kind),
    part: "option",
    path,
    example: kind.example,
    hintFor(key) {
      if (key.includes(":")) {
        return "a colon needs a space after it";
      }
      if (kind.isList && Object.hasOwn(kindNamed(kind.name).options.shape, key)) {
        return "a list does not have this option: remove it, or write list: false";
      }
      if (kind.canBeListed && Object.hasOwn(listed(kind).options.shape, key)) {
        return `"${key}" is for lists: remove it, or write list: true`;
      }
      const owners = kinds.filter(({ options }) => Object.hasOwn(options.shape, key));
      return owners.length > 0
        ? `"${key}" is for ${listWords(owners.map(({ name }) => name))}`
        : (didYouMean(key, own) ?? `its options are ${listWords(own)}`);
    },
  };
}

export function isFieldOption(key: string): boolean {
  return kinds.some(({ options }) => Object.hasOwn(options.shape, key));
}
