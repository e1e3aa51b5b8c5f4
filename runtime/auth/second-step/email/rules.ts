import type { Secrets } from "../../../secret/index.js";
import { codeDigest, newCode } from "../../token/code.js";

/** A code to be emailed, and the stored digest in its scope. */
export interface NewEmailedCode {
  readonly code: string;
  readonly digest: Buffer;
}

/** Makes a code that is valid in one scope only: `second-step:<challenge>` or `set-up:<address>`. */
export function newEmailedCode(secrets: Secrets, scope: string): NewEmailedCode {
  const code = newCode();
  return { code, digest: codeDigest(secrets, code, scope) };
}
