import { useQueries } from "@tanstack/react-query";
import { useSession } from "../../api/account/session.js";
import type { Field } from "../../api/client/types.js";
import { may, titleOf } from "../../api/records/descriptors.js";
import { titleQuery } from "../../api/records/queries.js";
import { enList } from "../../text/en/list.js";

/** The titles of linked records, in the order of their ids; the short id if unknown. */
export function useTitles(field: Field, ids: readonly string[]): readonly string[] {
  const { user, resources } = useSession();
  const target = resources.find(({ name }) => name === field.resource);
  const records = useQueries({
    queries: ids.map((id) => ({
      ...titleQuery(user.id, target, id),
      enabled: target !== undefined && may(target, "get"),
    })),
  });
  return ids.map((id, at) =>
    field.resource === "users" && id === user.id
      ? enList.me
      : titleOf(target, records[at]?.data ?? { id }),
  );
}
