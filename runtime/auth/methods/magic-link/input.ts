import { z } from "zod";
import { text } from "../../input.js";
import { requestShape } from "../../mailed/request.js";
import { deviceName } from "../../session/device.js";

const redirectTo = text.refine(isDashboardPath, {
  error: "Must be a path on the dashboard, such as /orders",
});

export const sendShape = requestShape.extend({ redirectTo: redirectTo.optional() });

export const verifyShape = z.strictObject({ token: text, deviceName });

const longestPath = 2000;

/**
 * Whether a text can only lead to the dashboard itself. Browsers take `//host` for another site, a
 * backslash for a slash, and leave tabs and line breaks out.
 */
export function isDashboardPath(text: string): boolean {
  return (
    /^\/(?!\/)/.test(text) && !/[\\\p{Cc}\p{Cs}]/u.test(text) && [...text].length <= longestPath
  );
}
