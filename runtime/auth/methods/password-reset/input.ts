import { z } from "zod";
import { address } from "../../account/input.js";
import { linkToken } from "../../mailed/input.js";

export const sendShape = z.strictObject({ email: address });

export const resetShape = z.strictObject({
  token: linkToken,
  newPassword: z.string({ error: "Must be text" }),
});
