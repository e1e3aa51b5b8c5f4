import { refuse } from "../errors/index.js";
import { isAllowed, namesRole, refuseByRule, refuseUnauthenticated } from "../http/index.js";
import type { Caller } from "../own-code/index.js";
import type { UploadFields } from "./objects/fields.js";
import type { FindTarget, UploadTarget } from "./receive/receive.js";

/** Finds the target of a path, which has the name of a resource or of its type. */
export function targetsOf(resources: readonly UploadFields[]): FindTarget {
  const byName = new Map(
    resources.flatMap((each) => [each.resource, each.type].map((name) => [name, each] as const)),
  );
  return (caller, { resource = "", field = "" }) => targetFor(caller, byName.get(resource), field);
}

/** 404 for a field that is not a file field, then 403 for a caller who may neither create nor update records. */
function targetFor(
  caller: Caller | null,
  uploads: UploadFields | undefined,
  field: string,
): UploadTarget {
  const takes =
    uploads !== undefined && Object.hasOwn(uploads.fields, field)
      ? uploads.fields[field]
      : undefined;
  if (uploads === undefined || takes === undefined) return refuse("NOT_FOUND");
  if (caller === null) return refuseUnauthenticated();
  const { create, update } = uploads.access;
  if (!isAllowed(caller, create) && !isAllowed(caller, update)) {
    refuseByRule(caller, create, update);
  }
  const { write = "signed-in" } = takes;
  if (!namesRole(write, caller.role)) refuseByRule(caller, write);
  return { resource: uploads.resource, field, takes };
}
