import { z } from "zod";
import { text, typedCode } from "../input.js";
import { deviceName } from "../session/device.js";

export const sendShape = z.strictObject({ challenge: text });

export const verifyShape = z.strictObject({
  challenge: text,
  method: z.enum(["totp", "email", "backup"], { error: "Must be totp, email or backup" }),
  code: typedCode,
  deviceName,
});

export const enableShape = z.strictObject({
  password: text,
  method: z.enum(["totp", "email"], { error: "Must be totp or email" }).default("totp"),
});

export const confirmShape = z.strictObject({ code: typedCode, password: text.optional() });

export const passwordShape = z.strictObject({ password: text });
