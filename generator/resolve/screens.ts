import { didYouMean } from "../../runtime/values/nearest.js";
import type { Problem } from "../../runtime/values/problem.js";
import { listWordsBriefly } from "../../runtime/values/text.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { problemOf } from "../descriptor/source.js";
import { linksOf } from "./relations.js";

/**
 * Returns problems with titles that screens could not resolve, and with alternative texts of pictures that are not in a
 * string field.
 */
export function screenProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  return [
    ...descriptors.flatMap((descriptor) => titleProblem(descriptor, descriptors)),
    ...descriptors.flatMap(altProblems),
  ];
}

/** Maximum number of links to a title, which is the maximum number that a query includes. */
const maxLinks = 3;

/** The problem of a title whose value is more links away than a query follows. */
function titleProblem(
  descriptor: Descriptor,
  descriptors: readonly Descriptor[],
): readonly Problem[] {
  const way = longestWay([descriptor], descriptors);
  if (way.length <= maxLinks + 1) return [];
  const names = way.map(({ name }) => name).join(" → ");
  const message = `"title" needs more than ${maxLinks} links to resolve: ${names}`;
  const hint = "give one of them a title without links";
  return [problemOf(descriptor.source, { path: ["title"], at: "value", message, hint })];
}

/** The resources along a title's links, up to the limit. */
function longestWay(
  way: readonly Descriptor[],
  descriptors: readonly Descriptor[],
): readonly Descriptor[] {
  const last = way.at(-1);
  if (last === undefined || way.length > maxLinks + 1) return way;
  const parts = last.display.title ?? [];
  const ways = linksOf(last)
    .filter(({ field }) => parts.includes(field))
    .flatMap(({ to }) => descriptors.find(({ name }) => name === to) ?? [])
    .map((next) => longestWay([...way, next], descriptors));
  return ways.reduce((longest, one) => (one.length > longest.length ? one : longest), way);
}

/** Returns problems with images whose `alt` is not the name of a string field. */
function altProblems({ fields, source }: Descriptor): readonly Problem[] {
  const strings = fields.filter(({ kind }) => kind?.isSearched).map(({ name }) => name);
  return fields.flatMap(({ name, kind, options }) => {
    const alt = kind?.alt(options) ?? null;
    if (alt === null || strings.includes(alt)) return [];
    const message = `"alt" of "${name}" names "${alt}", which is not a string field`;
    const all =
      strings.length === 0 ? "add one" : `the string fields are ${listWordsBriefly(strings)}`;
    const hint = didYouMean(alt, strings) ?? all;
    return [problemOf(source, { path: ["fields", name, "alt"], at: "value", message, hint })];
  });
}
