import {
  type Conditional,
  entriesOf,
  isPublicRule,
  publicWord,
  type Rule,
  whoOf,
} from "../../runtime/values/access-rule.js";
import type { Field } from "../kind/kinds.js";
import { isUnique, type Model, type Resource } from "../model/model.js";
import { writtenFields } from "../model/needed.js";
import { jsonFile } from "../text/json.js";
import type { Literal } from "../text/typescript.js";
import type { EmittedFile } from "./file.js";

export const publicFile = "generated/public.json";

/** The operations on one resource that are open to callers without a token. */
interface Published {
  readonly actions: Readonly<Record<string, Literal>>;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly include: readonly string[];
  readonly cache: number | null;
}

/** Emits `public.json`: everything that callers without a token can read or write; no file if there is nothing. */
export function emitPublic(model: Model): readonly EmittedFile[] {
  const published = publishedBy(model);
  if (published.length === 0) return [];
  const content = Object.fromEntries(published.map(([name, one]) => [name, { ...one }]));
  return [{ path: publicFile, text: jsonFile(content) }];
}

/**
 * Additions since the previous file, and actions whose condition has changed: `products list`,
 * `products.name`, `comments.ticket (create)`.
 */
export function newlyPublic(model: Model, former: string | undefined): readonly string[] {
  const known = new Map(linesOf(read(former)));
  return linesOf(publishedBy(model)).flatMap(([line, condition]) =>
    known.get(line) === condition ? [] : [line],
  );
}

/** Returns unique fields that callers without a token can set: refusals reveal which values exist. */
export function publicUniques({ resources }: Model): readonly string[] {
  return resources.flatMap((resource) => {
    const { writable = [] } = published(resource, resources) ?? {};
    const together = new Set(resource.uniques.flat());
    return resource.fields
      .filter((field) => isUnique(field) || together.has(field.name))
      .filter(({ name }) => writable.includes(name))
      .map(({ name }) => `${resource.name}.${name}`);
  });
}

type Entry = readonly [string, Published];

function publishedBy({ resources }: Model): readonly Entry[] {
  return resources.flatMap((resource): readonly Entry[] => {
    const one = published(resource, resources);
    return one === null ? [] : [[resource.name, one]];
  });
}

const readActions = ["list", "get", "stats"] as const;

function published(resource: Resource, resources: readonly Resource[]): Published | null {
  const { access, fields, cache } = resource;
  const actions = Object.fromEntries(
    ([...readActions, "create"] as const).flatMap((action) => {
      const condition = conditionOf(access[action]);
      return condition === null ? [] : [[action, condition]];
    }),
  );
  if (Object.keys(actions).length === 0) return null;
  const isRead = readActions.some((action) => Object.hasOwn(actions, action));
  const open = (rule: keyof Field["access"]) =>
    (rule === "read" ? fields : writtenFields(resource))
      .filter((field) => isOpen(field.access[rule]))
      .map(({ name }) => name);
  return {
    actions,
    readable: isRead ? ["id", ...open("read"), "createdAt", "updatedAt"] : [],
    writable: Object.hasOwn(actions, "create") ? open("write") : [],
    include: isRead ? includedBy(resource, resources) : [],
    cache,
  };
}

/** Only a field without a rule is open to callers without a token. */
function isOpen(rule: Rule): boolean {
  return rule === "signed-in";
}

/** Returns the links and inverses to public records. */
function includedBy(resource: Resource, resources: readonly Resource[]): readonly string[] {
  const leadsTo = (name: string, action: "list" | "get") => {
    const target = resources.find((one) => one.name === name);
    return target !== undefined && isPublicRule(target.access[action]);
  };
  const isShown = (field: string, of: Resource | undefined) =>
    of?.fields.some((one) => one.name === field && isOpen(one.access.read)) === true;
  return [
    ...resource.links
      .filter((link) => isShown(link.field, resource) && leadsTo(link.resource, "get"))
      .map(({ name }) => name),
    ...resource.lists
      .filter((list) => isShown(list.field, resource) && leadsTo(list.resource, "list"))
      .map(({ name }) => name),
    ...resource.inverses
      .filter(({ field, resource: from }) => {
        return (
          isShown(
            field,
            resources.find(({ name }) => name === from),
          ) && leadsTo(from, "list")
        );
      })
      .map(({ name }) => name),
  ];
}

/** The condition under which a rule admits callers without a token: true for any record, null if it never does. */
function conditionOf(rule: Rule): Literal | null {
  const conditions = entriesOf(rule)
    .filter((entry) => whoOf(entry) === publicWord)
    .map((entry): Literal => (typeof entry === "string" ? true : bothOf(entry)));
  if (conditions.length === 0) return null;
  if (conditions.includes(true)) return true;
  return conditions.length === 1 ? (conditions[0] ?? null) : { or: conditions };
}

function bothOf({ where, check }: Conditional): Literal {
  if (where !== undefined && check !== undefined) return { and: [where, check] };
  return where ?? check ?? true;
}

/** A line for each action and field, with the condition as JSON. */
function linesOf(published: readonly Entry[]): readonly (readonly [string, string])[] {
  return published.flatMap(([name, { actions, readable, writable }]) => [
    ...Object.entries(actions).map(
      ([action, condition]) => [`${name} ${action}`, JSON.stringify(condition)] as const,
    ),
    ...readable.map((field) => [`${name}.${field}`, "true"] as const),
    ...writable.map((field) => [`${name}.${field} (create)`, "true"] as const),
  ]);
}

/** The content of a previous file; empty if the tool did not write it. */
function read(text: string | undefined): readonly Entry[] {
  if (text === undefined) return [];
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content !== "object" || content === null) return [];
    return Object.entries(content).map(([name, { actions = {}, readable = [], writable = [] }]) => [
      name,
      { actions, readable, writable, include: [], cache: null },
    ]);
  } catch {
    return [];
  }
}
