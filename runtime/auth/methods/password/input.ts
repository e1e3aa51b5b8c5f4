import { z } from "zod";
import { text } from "../../input.js";
import { deviceNameShape } from "../../session/device.js";

/** Any text is accepted: a malformed address gets the same response as an unknown one. */
export const signInShape = z.strictObject({
  email: text,
  password: text,
  deviceName: deviceNameShape,
});

export const changeShape = z.strictObject({
  currentPassword: text,
  newPassword: text,
});
