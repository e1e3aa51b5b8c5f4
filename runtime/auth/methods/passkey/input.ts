import { z } from "zod";
import type { Config } from "../../../config/index.js";
import { labelShape } from "../../account/input.js";
import { shapeOf, text } from "../../input.js";
import { deviceNameShape } from "../../session/device.js";
import { siteShape } from "../../site.js";

/** Bytes in canonical base64url without padding, as browsers write it. */
const encoded = text.refine(isBase64url, { error: "Must be base64url" });

function isBase64url(given: string): boolean {
  return Buffer.from(given, "base64url").toString("base64url") === given;
}

const notCredential = { error: "Must be the JSON of a public key credential" };
const type = z.literal("public-key", { error: 'Must be "public-key"' });

// Not strict, unlike bodies: browsers add keys to these dictionaries.

/** The parts of the W3C's RegistrationResponseJSON that are used. */
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

/** The parts of the W3C's AuthenticationResponseJSON that are used. */
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

const name = labelShape(120);

export const optionsShape = shapeOf((config: Config) =>
  z.strictObject({ site: siteShape(config) }),
);
export const signInShape = z.strictObject({
  credential: authentication,
  deviceName: deviceNameShape,
});
export const additionShape = z.strictObject({
  credential: registration,
  name: name.nullish().transform((given) => given ?? "Passkey"),
});
export const renameShape = z.strictObject({ name });
