import { z } from "zod";
import { text } from "../../input.js";
import { deviceName } from "../../session/device.js";

/** Any text may be tried: a malformed address is as wrong as an unknown one, and not told apart. */
export const signInShape = z.strictObject({
  email: text,
  password: text,
  deviceName,
});

export const changeShape = z.strictObject({
  currentPassword: text,
  newPassword: text,
});
