import { z } from "zod";
import type { Config } from "../../../config/index.js";
import { shapeOf, text } from "../../input.js";
import { linkShape } from "../../mailed/request.js";
import { newNameShape } from "../../session/by-mail/register.js";
import { deviceNameShape } from "../../session/device.js";

const redirectTo = text.refine(isDashboardPath, {
  error: "Must be a path on the dashboard, such as /orders",
});

export const sendShape = shapeOf((config: Config) =>
  linkShape(config).extend({ redirectTo: redirectTo.optional() }),
);

export const verifyShape = z.strictObject({ token: text, deviceName: deviceNameShape });

export const registerShape = verifyShape.extend(newNameShape);

const maxPathLength = 2000;

/**
 * Whether a text can only be a path on the same site. Browsers parse `//host` as another site, treat a backslash as a
 * slash, and drop tabs and line breaks.
 */
export function isDashboardPath(text: string): boolean {
  return (
    /^\/(?!\/)/.test(text) && !/[\\\p{Cc}\p{Cs}]/u.test(text) && [...text].length <= maxPathLength
  );
}
