/** Messages for the error codes of accounts; loaded with the sign-in page, which causes most of them. */
export const enAccountCodes: Readonly<Record<string, string>> = Object.freeze({
  INVALID_EMAIL_OR_PASSWORD: "The email address or the password is wrong. Check both.",
  INVALID_TWO_FACTOR_CODE: "This code is wrong.",
  INVALID_OTP: "This code is wrong. Use the code in the newest mail.",
  OTP_EXPIRED: "This code no longer works. Request a new one.",
  INVALID_TOKEN: "This link no longer works. Links work once, and for a limited time.",
  INVALID_PASSKEY: "The passkey could not be verified. Try again, or sign in another way.",
  INVALID_PASSWORD: "This password is wrong.",
  PASSWORD_COMPROMISED:
    "This password is in a public list of stolen passwords. Choose another one.",
  EMAIL_NOT_VERIFIED: "Verify your email address first.",
  ACCOUNT_NOT_LINKED:
    "There is no account here for this sign-in. Sign in another way, then link it on your account page.",
  IDENTITY_TAKEN: "Another account is linked to this sign-in. Unlink it there first.",
  PROVIDER_ALREADY_LINKED:
    "Your account is linked to another sign-in of this provider. Unlink that one first.",
  PROVIDER_UNAVAILABLE: "The provider does not respond. Try again later, or sign in another way.",
  SESSION_NOT_FRESH: "You signed in more than a day ago. Sign in again first.",
  USER_ALREADY_EXISTS: "This address already has an account. Sign in instead.",
  PASSWORD_NOT_SET: "Your account has no password. Set one with a reset link.",
  TWO_FACTOR_NOT_ENABLED: "This has expired, or was turned off elsewhere. Start again.",
  TWO_FACTOR_ALREADY_ENABLED: "This second step is already on. Load the page again.",
  TOO_MANY_PASSKEYS: "You have ten passkeys. Remove one first.",
  LAST_SIGN_IN_METHOD: "Without it you could not sign in. Set a password first.",
});
