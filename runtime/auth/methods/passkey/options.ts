import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { isTransport } from "../../../values/api/passkeys.js";
import type { Account } from "../../account/store.js";
import { algorithms, ceremonyMilliseconds, type RelyingParty, userHandleOf } from "./rules.js";
import type { KnownCredential } from "./store.js";

/**
 * The options for `navigator.credentials.create`; an authenticator that has one of the account's passkeys creates no
 * second one.
 */
export function creationOptions(
  { id, name }: RelyingParty,
  {
    account,
    challenge,
    known,
  }: {
    readonly account: Account;
    readonly challenge: string;
    readonly known: readonly KnownCredential[];
  },
): PublicKeyCredentialCreationOptionsJSON {
  return {
    rp: { id, name },
    user: {
      id: userHandleOf(account.id).toString("base64url"),
      name: account.email,
      displayName: account.name,
    },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
    timeout: ceremonyMilliseconds,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId.toString("base64url"),
      type: "public-key",
      transports: transports.filter(isTransport),
    })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
  };
}

/** The options for `navigator.credentials.get`; they name no credentials, so they reveal nothing about any account. */
export function requestOptions(
  { id }: RelyingParty,
  challenge: string,
): PublicKeyCredentialRequestOptionsJSON {
  return {
    rpId: id,
    challenge,
    timeout: ceremonyMilliseconds,
    userVerification: "required",
  };
}
