import { refuseServiceToken, setPicture } from "../../auth/index.js";
import { type Route, takesQuery } from "../../http/index.js";
import type { Uploads } from "../../uploads/at-start.js";

/**
 * `PUT /auth/avatar`: stores the body as the caller's picture. Defined here because accounts and uploads do not import
 * each other.
 */
export function avatarRoute(uploads: Uploads): Route {
  return {
    method: "PUT",
    path: "/auth/avatar",
    access: "signed-in",
    takesFile: true,
    handle: takesQuery(async (context) => {
      await refuseServiceToken(context);
      const details = await uploads.receive(context, {
        resource: "users",
        field: "avatar",
        takes: { kind: "image", profile: "avatar" },
      });
      await setPicture(context, details.key);
      return { status: 201, json: JSON.stringify(details) };
    }),
  };
}
