import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSession } from "../../../api/account/session.js";
import type { Page, Resource, Row } from "../../../api/client/types.js";
import {
  type Neighbours,
  neighboursIn,
  rememberedList,
  rememberList,
} from "../../../browser/storage/neighbours.js";

/** The ids of the records before and after it in the last list. */
export function useNeighbours({ name }: Resource, id: string): Neighbours {
  const client = useQueryClient();
  const { user } = useSession();
  const lists = client
    .getQueryCache()
    .findAll({ queryKey: [user.id, "resource", name, "list"] })
    .sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
    .map(({ state }) => (state.data as Partial<Page<Row>> | undefined)?.data ?? []);
  const rows = lists.find((list) => list.some((row) => row.id === id));
  const ids = rows?.map((row) => row.id) ?? rememberedList(user.id, name, id);
  const list = ids.join(" ");
  useEffect(() => {
    if (list !== "") rememberList(user.id, name, list.split(" "));
  }, [user.id, name, list]);
  return neighboursIn(ids, id);
}
