import { isAccountNoted } from "../storage/tabs.js";
import { here, signInPath } from "./address.js";

/**
 * Begins at the sign-in if the server got no cookie with the request for this page: neither the screens nor the account
 * are requested in vain. A page that the browser kept from before a sign-in says so too, but an account is noted then.
 */
export function beginAtSignIn(): void {
  const isSignedOut = document.querySelector('meta[name="signed-out"]') !== null;
  if (isSignedOut && !isAccountNoted()) history.replaceState(null, "", signInPath(here()));
}
