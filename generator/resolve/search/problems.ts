import {
  entriesOf,
  isNarrowRule,
  isOwnerWord,
  publicWord,
  type Rule,
  signedInWord,
  whoOf,
} from "../../../runtime/values/access-rule.js";
import { didYouMean } from "../../../runtime/values/nearest.js";
import type { Problem } from "../../../runtime/values/problem.js";
import { listWordsBriefly } from "../../../runtime/values/text.js";
import type { Descriptor, FieldDescriptor, WrittenSearch } from "../../descriptor/descriptor.js";
import { searchLanguages } from "../../descriptor/section/search.js";
import { type DescriptorIssue, problemOf } from "../../descriptor/source.js";
import { fieldWords } from "../../kind/kinds.js";
import { rulesOf } from "../access/access.js";
import { linkNames, listNames } from "../inverses.js";
import { accounts } from "../names/stored.js";

type Descriptors = readonly Descriptor[];

/** Returns problems with languages that PostgreSQL lacks, and with fields whose words cannot be indexed. */
export function searchProblems(descriptors: Descriptors): readonly Problem[] {
  return descriptors.flatMap((descriptor) => {
    const { search, source } = descriptor;
    if (search === null) return [];
    return [
      ...languageIssues(search, descriptor),
      ...search.fields.flatMap(({ name }) => fieldIssue(name, descriptor, descriptors) ?? []),
    ].map((issue) => problemOf(source, issue));
  });
}

function languageIssues(
  { language }: WrittenSearch,
  { fields }: Descriptor,
): readonly DescriptorIssue[] {
  if (searchLanguages.includes(language)) return [];
  const at = { path: ["search", "language"], at: "value" } as const;
  const field = fields.find(({ name }) => name === language);
  if (field === undefined) {
    const enums = fields.flatMap(({ name, kind }) => (kind?.namesLanguage ? [name] : []));
    const hint = didYouMean(language, [...searchLanguages, ...enums]) ?? languagesHint;
    const message = `"language" is "${language}", which is neither a language nor an enum field`;
    return [{ ...at, message, hint }];
  }
  if (field.kind === null) return [];
  if (!field.kind.namesLanguage) {
    const message = `"language" cannot be "${language}": it is ${fieldWords(field.kind)}`;
    return [{ ...at, message, hint: "name an enum field whose values are languages" }];
  }
  const unknown = valuesOf(field).filter((value) => !searchLanguages.includes(value));
  if (unknown.length === 0) return [];
  const [first = ""] = unknown;
  const message = `"language" is the field "${language}", but its value "${first}" is not a language`;
  return [{ ...at, message, hint: didYouMean(first, searchLanguages) ?? languagesHint }];
}

const languagesHint = `the languages are ${searchLanguages.join(", ")}`;

export function valuesOf({ options }: FieldDescriptor): readonly string[] {
  const { values } = options;
  return Array.isArray(values) ? values.filter((one) => typeof one === "string") : [];
}

function fieldIssue(
  name: string,
  descriptor: Descriptor,
  descriptors: Descriptors,
): DescriptorIssue | null {
  const path = ["search", "fields", name];
  const dot = name.indexOf(".");
  if (dot < 0) return ownIssue(path, name, descriptor);
  const all = [...linkNames(descriptor), ...listNames(descriptor)];
  const link = all.find((one) => one.name === name.slice(0, dot));
  if (link === undefined) {
    const links = all.map((one) => one.name);
    const message = `"${name}" begins with "${name.slice(0, dot)}", which is not a link`;
    const offered = links.length === 0 ? "remove it" : `its links are ${listWordsBriefly(links)}`;
    return {
      ...{ path, at: "key", message },
      hint: didYouMean(name.slice(0, dot), links) ?? offered,
    };
  }
  if (
    descriptor.fields.some((one) => one.name === link.field && one.options.through !== undefined)
  ) {
    const message = `"${name}" cannot be searched: "${link.field}" lists records by a table of another program`;
    return { path, at: "key", message, hint: "remove it" };
  }
  if (link.resource === accounts) {
    const message = `"${name}" cannot be searched: it is a field of an account`;
    return { path, at: "key", message, hint: "remove it" };
  }
  const target = descriptors.find((one) => one.name === link.resource);
  if (target === undefined) return null;
  const issue = ownIssue(path, name.slice(dot + 1), target);
  if (issue !== null) return issue;
  const why = hiddenFrom(descriptor, target);
  if (why === null) return null;
  const message = `"${name}" cannot be searched: ${why}`;
  return {
    path,
    at: "key",
    message,
    hint: `remove it, or allow more callers to list ${target.name}`,
  };
}

function ownIssue(
  path: readonly string[],
  name: string,
  { name: resource, fields }: Descriptor,
): DescriptorIssue | null {
  const field = fields.find((one) => one.name === name);
  const offered = fields.filter(isSearchable).map((one) => one.name);
  const all =
    offered.length === 0
      ? `"${resource}" has no string, text or enum field`
      : `the fields are ${listWordsBriefly(offered)}`;
  if (field === undefined) {
    const message = `"search" names "${name}", which is not a field of "${resource}"`;
    return { path, at: "key", message, hint: didYouMean(name, offered) ?? all };
  }
  if (field.kind === null || isSearchable(field)) return null;
  const what = field.options.computed === undefined ? fieldWords(field.kind) : "a computed field";
  return { path, at: "key", message: `"${name}" cannot be searched: it is ${what}`, hint: all };
}

function isSearchable({ kind, options }: FieldDescriptor): boolean {
  return kind?.hasWords === true && options.computed === undefined;
}

/**
 * Returns the reason why some callers who can list the records cannot list all records of the target; null if there are
 * none.
 */
function hiddenFrom({ name, access }: Descriptor, target: Descriptor): string | null {
  const { list } = rulesOf(target.access);
  if (isNarrowRule(list)) return `"${target.name}" shows callers only some of its records`;
  const { list: own, stats } = rulesOf(access);
  return includes(list, own) && includes(list, stats)
    ? null
    : `not every caller who may list "${name}" may list "${target.name}"`;
}

/** Whether the rule admits every caller that the other rule admits. */
function includes(rule: Rule, other: Rule): boolean {
  const words = entriesOf(rule).map(whoOf);
  if (words.includes(publicWord)) return true;
  return entriesOf(other)
    .map(whoOf)
    .every((word) =>
      words.includes(signedInWord)
        ? word !== publicWord
        : words.includes(word) && word !== signedInWord && !isOwnerWord(word),
    );
}
