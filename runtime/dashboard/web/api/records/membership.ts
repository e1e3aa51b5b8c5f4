import { queryOptions } from "@tanstack/react-query";
import { call } from "../client/client.js";
import type { Page, Resource, Row, TeamOwner } from "../client/types.js";
import { type KnownResource, recordAddress } from "./records.js";

/**
 * Loads the account's roles in the group that owns the record, "" for a membership without a role; null if they cannot
 * be determined. Requested only if they determine what the account may do.
 */
export function rolesQuery({ account, resources, resource }: KnownResource, record: Row | null) {
  const { can, owner } = resource;
  const team = typeof owner === "object" ? owner : null;
  const needsRoles = record !== null && (can?.update === "own" || can?.delete === "own");
  return queryOptions({
    queryKey: [account, "resource", resource.name, "roles", record?.id],
    queryFn: async ({ signal }): Promise<readonly string[] | null> => {
      if (team === null || record === null) return null;
      try {
        const group = await groupOf(resources, { resource, record, link: team.link }, signal);
        return group === null ? null : await rolesIn(team, { group, account }, signal);
      } catch {
        // If the account may not read the memberships, its rights are unknown here and the API decides.
        return null;
      }
    },
    enabled: needsRoles && team !== null,
    retry: false,
    staleTime: 30_000,
  });
}

/** The path of links by which a record belongs to a group. */
interface LinkToGroup {
  readonly resource: Resource;
  readonly record: Row;
  readonly link: string;
}

/** Loads the id of the group at the end of the record's links. */
async function groupOf(
  resources: readonly Resource[],
  { resource, record, link }: LinkToGroup,
  signal: AbortSignal,
): Promise<string | null> {
  const [first = "", ...others] = link.split(".");
  const id = record[first];
  if (typeof id !== "string") return null;
  const [next] = others;
  if (next === undefined) return id;
  const to = resource.fields.find(({ name }) => name === first)?.resource;
  const target = resources.find(({ name }) => name === to);
  if (target === undefined) return null;
  const path = `${recordAddress(target.name, id)}?fields=${next}`;
  const linked = await call<Row>("GET", path, { signal });
  const rest = { resource: target, record: linked, link: others.join(".") };
  return groupOf(resources, rest, signal);
}

async function rolesIn(
  { through, group: groupField, account: accountField, role }: TeamOwner,
  { group, account }: { readonly group: string; readonly account: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const query = {
    where: { [groupField]: group, [accountField]: account },
    fields: role === undefined ? ["id"] : [role],
  };
  const { data } = await call<Page<Row>>("POST", `/${through}/_query`, { body: query, signal });
  return data.map((row) => (role === undefined ? "" : String(row[role] ?? "")));
}
