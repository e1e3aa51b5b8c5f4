import { transports } from "../../../runtime/values/api/passkeys.js";
import type { Schema } from "../../kind/kind.js";
import { integer, objectSchema, string } from "../operation.js";

/*
 * The WebAuthn dictionaries, named as in the specification (https://www.w3.org/TR/webauthn-3/, section 5). Response
 * types are narrow enough for TypeScript to accept them as the types of `lib.dom` and of libraries. Request types are
 * as wide as those types.
 */

const keyType: Schema = { type: "string", const: "public-key" };
const required: Schema = { type: "string", const: "required" };
const base64url: Schema = { type: "string", pattern: "^[A-Za-z0-9_-]+$" };

/** Returns an object schema that allows additional properties, which browsers may send. */
function open(properties: Readonly<Record<string, Schema>>, optional: readonly string[]): Schema {
  const { additionalProperties: _, ...schema } = objectSchema(properties, optional);
  return schema;
}

function credentialOf(response: Schema): Schema {
  return open(
    {
      id: base64url,
      rawId: base64url,
      // `lib.dom` allows any string.
      type: { type: "string", examples: ["public-key"] },
      response,
      authenticatorAttachment: { type: "string", examples: ["platform"] },
      clientExtensionResults: { examples: [{}] },
    },
    ["authenticatorAttachment", "clientExtensionResults"],
  );
}

export const webAuthnSchemas: Readonly<Record<string, Schema>> = {
  PublicKeyCredentialCreationOptionsJSON: objectSchema({
    rp: objectSchema({ id: string, name: string }),
    user: objectSchema({ id: string, name: string, displayName: string }),
    challenge: string,
    pubKeyCredParams: { type: "array", items: objectSchema({ type: keyType, alg: integer }) },
    timeout: integer,
    excludeCredentials: {
      type: "array",
      items: objectSchema({
        id: string,
        type: keyType,
        transports: { type: "array", items: { type: "string", enum: transports } },
      }),
    },
    authenticatorSelection: objectSchema({
      residentKey: required,
      requireResidentKey: { type: "boolean", const: true },
      userVerification: required,
    }),
    attestation: { type: "string", const: "none" },
  }),
  PublicKeyCredentialRequestOptionsJSON: objectSchema({
    rpId: string,
    challenge: string,
    timeout: integer,
    userVerification: required,
  }),
  RegistrationResponseJSON: credentialOf(
    open(
      {
        clientDataJSON: base64url,
        attestationObject: base64url,
        transports: { type: "array", items: string },
        authenticatorData: string,
        publicKey: string,
        publicKeyAlgorithm: integer,
      },
      ["transports", "authenticatorData", "publicKey", "publicKeyAlgorithm"],
    ),
  ),
  AuthenticationResponseJSON: credentialOf(
    open(
      {
        clientDataJSON: base64url,
        authenticatorData: base64url,
        signature: base64url,
        userHandle: { ...base64url, type: ["string", "null"] },
      },
      ["userHandle"],
    ),
  ),
};
