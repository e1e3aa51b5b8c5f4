import { useQueryClient } from "@tanstack/react-query";
import { useSession } from "../../api/session.js";
import type { Page, Resource, Row } from "../../api/types.js";

/** The rows before and after it in the list that was seen last. */
export function useNeighbours(
  resource: Resource,
  id: string,
): { readonly before: Row | undefined; readonly after: Row | undefined } {
  const client = useQueryClient();
  const { user } = useSession();
  const lists = client
    .getQueryCache()
    .findAll({ queryKey: [user.id, "resource", resource.name, "list"] })
    .sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
    .map(({ state }) => (state.data as Partial<Page<Row>> | undefined)?.data ?? []);
  const rows = lists.find((list) => list.some((row) => row.id === id)) ?? [];
  const at = rows.findIndex((row) => row.id === id);
  return { before: rows[at - 1], after: at < 0 ? undefined : rows[at + 1] };
}
