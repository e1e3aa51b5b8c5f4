import { z } from "zod";
import { deviceName } from "../session/input.js";

const text = z.string({ error: "Must be text" });

/** A code as somebody typed or pasted it: blanks within it mean nothing. */
const code = text.transform((typed) => typed.replaceAll(/\s/g, ""));

export const sendShape = z.strictObject({ challenge: text });

export const verifyShape = z.strictObject({
  challenge: text,
  method: z.enum(["totp", "email", "backup"], { error: "Must be totp, email or backup" }),
  code,
  deviceName,
});

export const enableShape = z.strictObject({
  password: text,
  method: z.enum(["totp", "email"], { error: "Must be totp or email" }).default("totp"),
});

export const confirmShape = z.strictObject({ code, password: text.optional() });

export const passwordShape = z.strictObject({ password: text });
