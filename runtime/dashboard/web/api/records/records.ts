import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { idSegment } from "../../../../values/schema/id-types.js";
import { type Answered, call, callWhole } from "../client/client.js";
import type { Field, Resource, Row } from "../client/types.js";
import { isLink } from "./fields.js";
import { maxIncludes, titleName } from "./naming.js";

export interface Version {
  readonly record: Row;
  readonly etag: string;
}

/** Loads the record with its tag. An open form never gets another version; only a save replaces it. */
export function recordQuery(account: string, resource: string, id: string) {
  return queryOptions({
    queryKey: [account, "resource", resource, "record", id],
    queryFn: ({ signal }) => readRecord(resource, id, signal),
    staleTime: 0,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnMount: false,
  });
}

export async function readRecord(
  resource: string,
  id: string,
  signal?: AbortSignal,
): Promise<Version> {
  return versionOf(await callWhole<Row>("GET", recordAddress(resource, id), { signal }));
}

export function versionOf({ body, etag }: Answered<Row>): Version {
  return { record: body, etag: etag ?? "*" };
}

export function recordAddress(resource: string, id: string): string {
  return `/${resource}/${idSegment(id)}`;
}

/** A tab with the records of another resource that link to this one. */
export interface Inverse {
  readonly name: string;
  readonly resource: Resource;
  readonly field: Field;
}

/** Returns the tabs of a resource, derived from other descriptors. */
export function inversesOf(
  resources: readonly Resource[],
  target: Pick<Resource, "name">,
): readonly Inverse[] {
  return linksTo(resources, target).flatMap(({ resource, field }) =>
    field.inverse === undefined || resource.can?.list === false || field.readable === false
      ? []
      : [{ name: field.inverse, resource, field }],
  );
}

/** Returns the link to a record's parent, which must list its children; a required link is preferred. */
export function parentLink(
  resources: readonly Resource[],
  { fields }: Resource,
): { readonly field: Field; readonly target: Resource } | null {
  const links = fields.filter(isLink).flatMap((field) => {
    const target = resources.find(({ name }) => name === field.resource);
    const isListed = field.inverse !== undefined && field.readable !== false;
    return target === undefined || !isListed || target.can?.get === false
      ? []
      : [{ field, target }];
  });
  return links.find(({ field }) => field.required === true) ?? links[0] ?? null;
}

export function linksTo(
  resources: readonly Resource[],
  { name }: Pick<Resource, "name">,
): readonly { readonly resource: Resource; readonly field: Field }[] {
  return resources.flatMap((resource) =>
    resource.fields.filter(({ resource: to }) => to === name).map((field) => ({ resource, field })),
  );
}

/** The records that a record links to, and the numbers of records that link to it. */
export interface Around {
  /** The linked record of each field; null if there is none. */
  readonly links: Readonly<Record<string, Row | null>>;
  /** The number of records of each inverse. */
  readonly counts: Readonly<Record<string, { readonly count: number; readonly hasMore: boolean }>>;
}

interface Include {
  readonly name: string;
  readonly fields: string;
  /** The name of the link's field, or null for an inverse. */
  readonly field: string | null;
}

/** A resource that the account may see. */
export interface KnownResource {
  readonly account: string;
  readonly resources: readonly Resource[];
  readonly resource: Resource;
}

export function aroundQuery({ account, resources, resource }: KnownResource, id: string) {
  return queryOptions({
    queryKey: [account, "resource", resource.name, "titles", id, "around"],
    queryFn: async ({ signal }): Promise<Around> => {
      const includes = includesOf(resources, resource);
      const chunks = Array.from({ length: Math.ceil(includes.length / maxIncludes) }, (_, at) =>
        includes.slice(at * maxIncludes, (at + 1) * maxIncludes),
      );
      const rows = await Promise.all(
        chunks.map((chunk) => readAround({ resource, id }, chunk, signal)),
      );
      return aroundOf(includes, Object.assign({}, ...rows));
    },
    staleTime: 30_000,
  });
}

/**
 * Returns the links and inverses to include. Lists that a policy decides are omitted: the API could refuse the entire
 * request.
 */
function includesOf(resources: readonly Resource[], resource: Resource): readonly Include[] {
  const links = resource.fields
    .filter(({ readable }) => readable !== false)
    .flatMap((field): readonly Include[] => {
      const { link: name } = field;
      if (name === undefined) return [];
      return [{ name, fields: titleName(resources, field.resource) ?? "id", field: field.name }];
    });
  const inverses = inversesOf(resources, resource)
    .filter(({ resource: { can } }) => can?.list !== "maybe")
    .map(({ name }) => ({ name, fields: "id", field: null }));
  return [...links, ...inverses];
}

async function readAround(
  { resource, id }: { readonly resource: Resource; readonly id: string },
  includes: readonly Include[],
  signal: AbortSignal,
): Promise<object> {
  const query = new URLSearchParams({
    fields: "id",
    include: includes.map(({ name }) => name).join(","),
    ...Object.fromEntries(includes.map(({ name, fields }) => [`include[${name}][fields]`, fields])),
  });
  const path = `${recordAddress(resource.name, id)}?${query}`;
  return call<Row>("GET", path, { signal });
}

function aroundOf(includes: readonly Include[], row: Readonly<Record<string, unknown>>): Around {
  const links: Record<string, Row | null> = {};
  const counts: Record<string, { count: number; hasMore: boolean }> = {};
  for (const { name, field } of includes) {
    const value = row[name];
    if (field !== null) links[field] = (value as Row | null | undefined) ?? null;
    else if (value !== undefined) {
      const { data, more } = value as { data: readonly Row[]; more: boolean };
      counts[name] = { count: data.length, hasMore: more };
    }
  }
  return { links, counts };
}

/**
 * Marks what a write makes stale: lists, titles, numbers and histories of the resource and of linked ones. Visible data
 * is loaded again, except the query whose key has the hash `kept`.
 */
export function forgetLists(
  client: QueryClient,
  { account, resources, resource }: KnownResource,
  kept?: string,
): void {
  const linked = new Set([
    resource.name,
    ...resource.fields.flatMap(({ resource: to }) => (to === undefined ? [] : [to])),
    ...linksTo(resources, resource).map((one) => one.resource.name),
  ]);
  for (const name of linked) {
    for (const part of ["list", "titles", "numbers", "search", "history"]) {
      const queryKey = [account, "resource", name, part];
      void client.invalidateQueries({ queryKey, refetchType: "none" });
      void client.refetchQueries({
        queryKey,
        type: "active",
        predicate: ({ queryHash }) => queryHash !== kept,
      });
    }
  }
}

/** Loads the number of records of another resource that link to this one. */
export function dependantsQuery(
  account: string,
  { resource: other, field }: { readonly resource: Resource; readonly field: Field },
  id: string,
) {
  const query = new URLSearchParams({ [`filter[${field.name}]`]: id });
  return queryOptions({
    queryKey: [account, "resource", other.name, "numbers", `${field.name} ${id}`],
    queryFn: async ({ signal }) => {
      const path = `/${other.name}/_stats?${query}`;
      return (await call<{ total: number }>("GET", path, { signal })).total;
    },
    staleTime: 0,
  });
}
