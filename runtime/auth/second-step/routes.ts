import type { HandledRoute } from "../../http/index.js";
import { confirm } from "./confirm.js";
import { enable } from "./enable.js";
import { disable, renewBackupCodes } from "./manage.js";
import { send } from "./send.js";
import { verify } from "./verify.js";

/** The routes that exist if any second step is enabled. */
export const secondStepRoutes: readonly HandledRoute[] = [
  { method: "POST", path: "/auth/two-factor/verify", access: "public", handle: verify },
  { method: "POST", path: "/auth/two-factor/enable", access: "signed-in", handle: enable },
  { method: "POST", path: "/auth/two-factor/confirm", access: "signed-in", handle: confirm },
  { method: "POST", path: "/auth/two-factor/disable", access: "signed-in", handle: disable },
  {
    method: "POST",
    path: "/auth/two-factor/backup-codes",
    access: "signed-in",
    handle: renewBackupCodes,
  },
];

/** The routes that exist if emailed codes are enabled. */
export const emailedCodeRoutes: readonly HandledRoute[] = [
  { method: "POST", path: "/auth/two-factor/send", access: "public", handle: send },
];
