import { z } from "zod";
import { labelOf } from "../../account/input.js";
import { text } from "../../input.js";
import { deviceName } from "../../session/device.js";

/** Bytes in base64url as browsers write it: without padding, and each text of its own. */
const encoded = text.refine(isBase64url, { error: "Must be base64url" });

function isBase64url(given: string): boolean {
  return Buffer.from(given, "base64url").toString("base64url") === given;
}

const notCredential = { error: "Must be the JSON of a public key credential" };
const type = z.literal("public-key", { error: 'Must be "public-key"' });

// Not strict, unlike bodies: the dictionaries are the browsers', which add to them.

/** The W3C's RegistrationResponseJSON, as far as it is read here. */
const registration = z.object(
  {
    id: encoded,
    rawId: encoded,
    type,
    response: z.object(
      {
        clientDataJSON: encoded,
        attestationObject: encoded,
        transports: z.array(text, { error: "Must be a list" }).optional(),
      },
      notCredential,
    ),
  },
  notCredential,
);

/** The W3C's AuthenticationResponseJSON, as far as it is read here. */
const authentication = z.object(
  {
    id: encoded,
    rawId: encoded,
    type,
    response: z.object(
      {
        clientDataJSON: encoded,
        authenticatorData: encoded,
        signature: encoded,
        userHandle: encoded.nullish(),
      },
      notCredential,
    ),
  },
  notCredential,
);

export type RegistrationCredential = z.output<typeof registration>;
export type AuthenticationCredential = z.output<typeof authentication>;

const name = labelOf(120);

export const optionsShape = z.strictObject({});
export const signInShape = z.strictObject({ credential: authentication, deviceName });
export const additionShape = z.strictObject({
  credential: registration,
  name: name.nullish().transform((given) => given ?? "Passkey"),
});
export const renameShape = z.strictObject({ name });
