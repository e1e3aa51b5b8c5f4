export const eventKinds = [
  "signed-in",
  "signed-out",
  "password-changed",
  "password-reset",
  "two-factor-on",
  "two-factor-off",
  "backup-codes-renewed",
  "passkey-added",
  "passkey-removed",
  "identity-added",
  "identity-removed",
  "address-adopted",
  "email-changed",
  "token-created",
  "token-revoked",
  "account-created",
  "account-changed",
  "account-disabled",
  "account-enabled",
  "account-deleted",
  "sessions-ended",
  "reset-mailed",
  "app-connected",
  "app-token-reused",
  "app-disconnected",
  "viewed-as",
] as const;

export type EventKind = (typeof eventKinds)[number];

export function isEventKind(word: string): word is EventKind {
  return eventKinds.some((kind) => kind === word);
}
