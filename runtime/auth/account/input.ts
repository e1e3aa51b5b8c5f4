import { z } from "zod";
import { normaliseAddress } from "./address.js";

/** What a person calls something of theirs: trimmed, 1 to `most` code points, no control characters. */
export function labelOf(most: number) {
  return z
    .string({ error: "Must be text" })
    .transform((text) => text.trim())
    .refine((text) => text !== "" && [...text].length <= most, {
      error: `Must have 1 to ${most} characters`,
    })
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), { error: "Must have no control characters" });
}

/** What people call themselves and their devices. */
export const label = labelOf(255);

/** An email address, in its normalised form. */
export const address = z.string({ error: "Must be text" }).transform((text, { addIssue }) => {
  const normalised = normaliseAddress(text);
  if (normalised !== null) return normalised;
  addIssue({ code: "custom", message: "Must be an email address" });
  return z.NEVER;
});

/** Of a picture's key that is none, or that belongs to somebody or something else. */
export const notOwnPicture = "Must be a picture that you uploaded here";

/** What a person may change of their account. */
export const profileChangeShape = z.strictObject({
  name: label.optional(),
  avatar: z
    .string({ error: "Must be text or null" })
    .regex(/^users\/avatar\/[\w./-]+$/, { error: notOwnPicture })
    .nullable()
    .optional(),
});

export const roleShape = z.strictObject({ role: label.nullable() });

export const newAccountShape = z.strictObject({
  email: address,
  name: label,
  role: label.nullable(),
  password: z.string({ error: "Must be text" }),
});

/** An account to be made, as somebody wrote it. */
export type NewAccount = z.input<typeof newAccountShape>;
