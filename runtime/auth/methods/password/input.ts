import { z } from "zod";
import { deviceName } from "../../session/input.js";

/** Any text may be tried: a malformed address is as wrong as an unknown one, and not told apart. */
export const signInShape = z.strictObject({
  email: z.string({ error: "Must be text" }),
  password: z.string({ error: "Must be text" }),
  deviceName,
});

export const changeShape = z.strictObject({
  currentPassword: z.string({ error: "Must be text" }),
  newPassword: z.string({ error: "Must be text" }),
});
