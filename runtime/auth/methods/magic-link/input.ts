import { z } from "zod";
import { text } from "../../input.js";
import { requestShape } from "../../mailed/input.js";
import { deviceName } from "../../session/input.js";
import { isDashboardPath } from "./rules.js";

const redirectTo = text.refine(isDashboardPath, {
  error: "Must be a path on the dashboard, such as /orders",
});

export const sendShape = requestShape.extend({ redirectTo: redirectTo.optional() });

export const verifyShape = z.strictObject({ token: text, deviceName });
