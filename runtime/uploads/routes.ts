import { refuse } from "../errors/index.js";
import {
  isAllowed,
  namesRole,
  type Route,
  refuseByRule,
  refuseUnauthenticated,
  takesQuery,
} from "../http/index.js";
import { later } from "../loading/index.js";
import type { Caller } from "../own-code/index.js";
import type { UploadFields } from "./objects/fields.js";
import { type UploadServices, uploadsFor } from "./objects/services.js";
import type { UploadTarget } from "./receive/receive.js";
import { presentEnd, signedDetails } from "./sign/details.js";

export const loadReceive = later(() => import("./receive/receive.js"));
const loadServe = later(() => import("./serve/serve.js"));

/** The routes that receive, serve and describe files. */
export function uploadRoutes(
  services: UploadServices,
  resources: readonly UploadFields[],
): readonly Route[] {
  const byName = new Map(
    resources.flatMap((each) => [each.resource, each.type].map((name) => [name, each] as const)),
  );
  const profiles = profileList(services);
  return [
    {
      method: "PUT",
      path: "/_service/uploads/:resource/:field",
      access: "signed-in",
      takesFile: true,
      handle: takesQuery(async (context) => {
        const { resource = "", field = "" } = context.params;
        const target = targetFor(context.caller, byName.get(resource), field);
        const { receive } = await loadReceive();
        const details = await receive(context, uploadsFor(services, context), target);
        const json = JSON.stringify(details);
        const isPrivate = target.takes.isPrivate === true;
        const until = presentEnd(services);
        return { status: 201, json: isPrivate ? signedDetails(services, json, until) : json };
      }),
    },
    {
      method: "GET",
      path: "/_service/files/:resource/:field/:year/:month/:file",
      access: "public",
      accept: "any",
      handle: async (context) => {
        const { serveFile } = await loadServe();
        return serveFile(context, uploadsFor(services, context));
      },
    },
    {
      method: "GET",
      path: "/_service/profiles",
      access: "signed-in",
      handle: async () => ({ status: 200, json: profiles }),
    },
  ];
}

/** 404 for a field that takes no files, then 403 for a caller who may neither create nor update a record. */
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

/** What `GET /_service/profiles` answers. */
function profileList({ config }: UploadServices): string {
  const data = Object.entries(config.uploads.profiles).map(([name, profile]) => {
    const { width, height, fit, renditions } = profile;
    return { name, width, height, fit, format: "webp", renditions };
  });
  return JSON.stringify({ data });
}
