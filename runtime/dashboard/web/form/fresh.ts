import { isCode } from "../api/client/errors.js";
import { here, leaveTo, signInPath } from "../browser/address/address.js";

/** Whether a write was refused because the sign-in is too old. */
export function isNotFresh(error: unknown): boolean {
  return isCode(error, "SESSION_NOT_FRESH");
}

/** Sends the write; if it is refused because the sign-in is too old, opens the sign-in. */
export function sendOrSignIn<Input>(
  write: { readonly error: unknown; readonly send: (input: Input) => void },
  input: Input,
): void {
  if (isNotFresh(write.error)) leaveTo(signInPath(here()));
  else write.send(input);
}
