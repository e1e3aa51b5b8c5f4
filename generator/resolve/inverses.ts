import { detailsKey } from "../../runtime/values/files/details-key.js";
import type { Problem } from "../../runtime/values/problem.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { type DescriptorIssue, problemOf } from "../descriptor/source.js";
import type { Inverse, LinkName } from "../model/model.js";
import { accounts } from "./names/stored.js";
import { type Link, linksOf, listsOf, relationsOf } from "./relations.js";

/**
 * Returns the name of each linked record in queries: the field without `Id`. If the field does not end in `Id`, or the
 * record already uses the short name, it is `<field>Record`.
 */
export function linkNames(descriptor: Descriptor): readonly LinkName[] {
  const taken = wordsOf(descriptor);
  return linksOf(descriptor).map(({ field, to }) => {
    const short = /^(.+)Id$/.exec(field)?.[1];
    const isFree = short !== undefined && !taken.has(short);
    return { name: isFree ? short : `${field}Record`, field, resource: to };
  });
}

/**
 * Returns the name of the records of each list in queries: the name in the descriptor, or the field without `Ids` in
 * the plural. If the field does not end in `Ids`, or the record already uses the plural, it is `<field>Records`.
 */
export function listNames(descriptor: Descriptor): readonly LinkName[] {
  const taken = new Set([...wordsOf(descriptor), ...linkNames(descriptor).map(({ name }) => name)]);
  return listsOf(descriptor).map(({ field, to, list }) => {
    const short = /^(.+)Ids$/.exec(field)?.[1];
    const plural = list?.as ?? (short === undefined ? null : pluralOf(short));
    const isFree = plural !== null && (list?.as === plural || !taken.has(plural));
    return { name: isFree ? plural : `${field}Records`, field, resource: to };
  });
}

/** Returns the plural: `tag` → `tags`, `category` → `categories`, `box` → `boxes`. */
export function pluralOf(word: string): string {
  if (/[^aeiouAEIOU]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

/** Returns the names in queries of the records that link to those of each resource, by resource name. */
export function inversesOf(
  descriptors: readonly Descriptor[],
): ReadonlyMap<string, readonly Inverse[]> {
  const byTarget = new Map<string, Inverse[]>();
  for (const { from, field, to, inverse } of descriptors.flatMap(relationsOf)) {
    if (inverse === null) continue;
    const own = { name: inverse, field, resource: from.name };
    byTarget.set(to, [...(byTarget.get(to) ?? []), own]);
  }
  return byTarget;
}

/** Returns problems with links and inverses whose names have another meaning on the same record. */
export function inverseProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  const seen = new Map<string, Link>();
  return [
    ...descriptors.flatMap(linkProblems),
    ...descriptors.flatMap(relationsOf).flatMap((link) => {
      const issue = inverseIssue(link, descriptors, seen);
      return issue === null ? [] : [problemOf(link.from.source, issue)];
    }),
  ];
}

function linkProblems(descriptor: Descriptor): readonly Problem[] {
  const words = wordsOf(descriptor);
  const names = [...linkNames(descriptor), ...listNames(descriptor)];
  const named = new Map(listsOf(descriptor).map(({ field, list }) => [field, list?.as]));
  return names.flatMap(({ name, field }) => {
    const isNamed = named.get(field) === name;
    const isLong = isNamed || name === `${field}Record` || name === `${field}Records`;
    const other = names.find((one) => one.name === name && one.field !== field)?.field;
    if (!isLong || (!words.has(name) && other === undefined)) return [];
    const recordOf = (one: string) => `the record${named.has(one) ? "s" : ""} of "${one}"`;
    const owner = other === undefined ? "another key of the record" : recordOf(other);
    const what = recordOf(field);
    const message = isNamed
      ? `"as" gives ${what} the name "${name}" in queries, which is already the name of ${owner}`
      : `in queries, ${what} would have the name "${name}", which is already the name of ${owner}`;
    const place = isNamed
      ? ({ path: ["fields", field, "as"], at: "value" } as const)
      : ({ path: ["fields", field], at: "key" } as const);
    return [problemOf(descriptor.source, { ...place, message, hint: "choose another name" })];
  });
}

/** Returns the issue of an inverse; `seen` contains the previous ones, by target and name. */
function inverseIssue(
  link: Link,
  descriptors: readonly Descriptor[],
  seen: Map<string, Link>,
): DescriptorIssue | null {
  const { inverse, to, field } = link;
  if (inverse === null) return null;
  const refused = (message: string, hint: string): DescriptorIssue => ({
    path: ["fields", field, "inverse"],
    at: "value",
    message,
    hint,
  });
  if (to === accounts) {
    return refused(`"inverse" is not for links to ${accounts}`, "remove it");
  }
  const hint = "choose another name";
  const target = descriptors.find(({ name }) => name === to);
  if (target === undefined) return null;
  if (wordsOf(target).has(inverse)) {
    const message = `"inverse" is "${inverse}", but records of "${to}" already have a member of that name`;
    return refused(message, hint);
  }
  const own = [...linkNames(target), ...listNames(target)].find(({ name }) => name === inverse);
  if (own !== undefined) {
    const message = `"inverse" is "${inverse}", but a record of "${to}" already has the linked record of "${own.field}" under this name`;
    return refused(message, hint);
  }
  const key = `${to} ${inverse}`;
  const first = seen.get(key);
  if (first !== undefined) {
    const place = `${first.from.name}.${first.field}`;
    const message = `"inverse" is "${inverse}", which ${place} already uses on records of "${to}"`;
    return refused(message, hint);
  }
  seen.set(key, link);
  return null;
}

/** Returns the properties of a record, and the words that combine conditions. */
function wordsOf({ fields }: Descriptor): ReadonlySet<string> {
  const files = fields.flatMap(({ name, kind }) => (kind?.isFile ? [detailsKey(name, kind)] : []));
  return new Set([...ownWords, ...fields.map(({ name }) => name), ...files]);
}

const ownWords = ["id", "createdAt", "updatedAt", "and", "or", "not"];
