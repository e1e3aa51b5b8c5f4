import { isPublicRule } from "../../../runtime/values/access-rule.js";
import type { Resource } from "../../model/model.js";
import { resourceOperations } from "../../model/operations.js";

/** The operations open to callers without a token. */
export function idsWithoutToken(resource: Resource): ReadonlySet<string> {
  const { list, query, get, stats, aggregate, aggregateByBody, create } =
    resourceOperations(resource);
  const ids = {
    list: [list, query],
    get: [get],
    stats: [stats, aggregate, aggregateByBody],
    create: [create],
  };
  const open = (["list", "get", "stats", "create"] as const).filter((action) =>
    isPublicRule(resource.access[action]),
  );
  return new Set(open.flatMap((action) => ids[action]));
}
