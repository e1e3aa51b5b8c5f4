import { z } from "zod";
import { normaliseAddress } from "./address.js";

/** What a person calls themselves or their device: trimmed, 1 to 255 code points, no control characters. */
export const label = z
  .string({ error: "Must be text" })
  .transform((text) => text.trim())
  .refine((text) => text !== "" && [...text].length <= 255, {
    error: "Must have 1 to 255 characters",
  })
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), { error: "Must have no control characters" });

/** An email address, in its normalised form. */
export const address = z.string({ error: "Must be text" }).transform((text, { addIssue }) => {
  const normalised = normaliseAddress(text);
  if (normalised !== null) return normalised;
  addIssue({ code: "custom", message: "Must be an email address" });
  return z.NEVER;
});

export const newAccountShape = z.strictObject({
  email: address,
  name: label,
  role: label.nullable(),
  password: z.string({ error: "Must be text" }),
});

/** An account to be made, as somebody wrote it. */
export type NewAccount = z.input<typeof newAccountShape>;
