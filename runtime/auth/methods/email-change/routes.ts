import type { HandledRoute } from "../../../http/index.js";
import { requestChange } from "./request.js";
import { verifyChange } from "./verify.js";

const path = "/auth/email/change";

export const emailChangeRoutes: readonly HandledRoute[] = [
  { method: "POST", path, access: "signed-in", handle: requestChange },
  // A link is enough proof; a code also requires a bearer token, which the handler checks.
  { method: "POST", path: `${path}/verify`, access: "public", handle: verifyChange },
];
