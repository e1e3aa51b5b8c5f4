import { z } from "zod";
import { codeText, text } from "../input.js";
import { deviceNameShape } from "../session/device.js";

export const sendShape = z.strictObject({ challenge: text });

export const verifyShape = z.strictObject({
  challenge: text,
  method: z.enum(["totp", "email", "backup"], { error: "Must be totp, email or backup" }),
  code: codeText,
  deviceName: deviceNameShape,
});

export const enableShape = z.strictObject({
  password: text,
  method: z.enum(["totp", "email"], { error: "Must be totp or email" }).default("totp"),
});

export const confirmShape = z.strictObject({ code: codeText, password: text.optional() });

export const passwordShape = z.strictObject({ password: text });
