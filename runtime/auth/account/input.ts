import { z } from "zod";
import { text } from "../input.js";
import { normaliseAddress } from "./address.js";

/** What a person calls something of theirs: trimmed, 1 to `most` code points, no control characters. */
export function labelOf(most: number) {
  return text
    .transform((given) => given.trim())
    .refine((given) => given !== "" && [...given].length <= most, {
      error: `Must have 1 to ${most} characters`,
    })
    .refine((given) => !/[\p{Cc}\p{Cs}]/u.test(given), {
      error: "Must have no control characters",
    });
}

/** What people call themselves and their devices. */
export const label = labelOf(255);

/** An email address, in its normalised form. */
export const address = text.transform((given, { addIssue }) => {
  const normalised = normaliseAddress(given);
  if (normalised !== null) return normalised;
  addIssue({
    code: "custom",
    message: isInternational(given) ? onlyAscii : "Must be an email address",
  });
  return z.NEVER;
});

const onlyAscii =
  "Must be an email address with ASCII letters, digits and signs before the @; other letters are for the domain only";

function isInternational(given: string): boolean {
  return /^[^@]*[^@\p{ASCII}][^@]*@[^@]+$/u.test(given);
}

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
  password: text,
});

/** An account to be made, as somebody wrote it. */
export type NewAccount = z.input<typeof newAccountShape>;
