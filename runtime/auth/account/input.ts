import { z } from "zod";
import { memberRoleOf } from "../../values/access-rule.js";
import { nfc } from "../../values/text.js";
import { text } from "../input.js";
import { normaliseAddress } from "./address.js";

/**
 * Returns the schema of a name chosen by a person: trimmed, in NFC, 1 to `maxLength` code points, without characters
 * that control a terminal or the direction of text.
 */
export function labelShape(maxLength: number) {
  return (
    text
      .transform((given) => nfc(given.trim()))
      .refine((given) => given !== "" && [...given].length <= maxLength, {
        error: `Must have 1 to ${maxLength} characters`,
      })
      .refine((given) => !/[\p{Cc}\p{Cs}]/u.test(given), {
        error: "Must have no control characters",
      })
      // In a list or an email, these would reverse the text after the name.
      .refine((given) => !/[\u202a-\u202e\u2066-\u2069]/u.test(given), {
        error: "Must have no characters that change the direction of text",
      })
  );
}

/** A person's name or a device's name. */
export const nameShape = labelShape(255);

/** The name of a role. Names that begin with `owner.` are refused: in rules, they refer to the roles of members. */
export const roleNameShape = nameShape.refine((role) => memberRoleOf(role) === null, {
  error: 'Must not begin with "owner."',
});

/** An email address, which is normalized. */
export const addressShape = text.transform((given, { addIssue }) => {
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

/** Message for the storage key of a picture that is malformed, or belongs to another account or field. */
export const notOwnPictureMessage = "Must be a picture that you uploaded here";

/** The properties of an account that its owner may change. */
export const profileChangeShape = z.strictObject({
  name: nameShape.optional(),
  avatar: z
    .string({ error: "Must be text or null" })
    .regex(/^users\/avatar\/[\w./-]+$/, { error: notOwnPictureMessage })
    .nullable()
    .optional(),
});

export const roleShape = z.strictObject({ role: roleNameShape.nullable() });

export const newAccountShape = z.strictObject({
  email: addressShape,
  name: nameShape,
  role: roleNameShape.nullable(),
  password: text,
});

/** An account to be created, as submitted. */
export type NewAccount = z.input<typeof newAccountShape>;
