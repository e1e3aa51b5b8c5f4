import { type Route, takesQuery } from "../http/index.js";
import { later } from "../loading/index.js";
import { type UploadServices, uploadsFor } from "./objects/services.js";
import type { FindTarget } from "./receive/receive.js";
import { shownDetails } from "./sign/details.js";

export const loadReceive = later(() => import("./receive/receive.js"));
const loadServe = later(() => import("./serve/serve.js"));

/** The routes that receive, serve and describe files. */
export function uploadRoutes(services: UploadServices, targetOf: FindTarget): readonly Route[] {
  const profiles = profileList(services);
  return [
    {
      method: "PUT",
      path: "/_service/uploads/:resource/:field",
      access: "signed-in",
      takesFile: true,
      handle: takesQuery(async (context) => {
        const target = targetOf(context.caller, context.params);
        const { receive } = await loadReceive();
        const details = await receive(context, uploadsFor(services, context), target);
        return { status: 201, json: shownDetails(services, target.takes, details) };
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

/** The response of `GET /_service/profiles`. */
function profileList({ config }: UploadServices): string {
  const data = Object.entries(config.uploads.profiles).map(([name, profile]) => {
    const { width, height, fit, renditions } = profile;
    return { name, width, height, fit, format: "webp", renditions };
  });
  return JSON.stringify({ data });
}
