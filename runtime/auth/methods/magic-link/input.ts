import { z } from "zod";
import { address } from "../../account/input.js";
import { linkToken } from "../../mailed/input.js";
import { deviceName } from "../../session/input.js";
import { isDashboardPath } from "./rules.js";

const redirectTo = z
  .string({ error: "Must be text" })
  .refine(isDashboardPath, { error: "Must be a path on the dashboard, such as /orders" });

export const sendShape = z.strictObject({ email: address, redirectTo: redirectTo.optional() });

export const verifyShape = z.strictObject({ token: linkToken, deviceName });
