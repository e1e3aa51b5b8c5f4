import type { Message } from "../../../../runtime/mail/index.js";

const ada = { to: "ada@example.com", name: "Ada" } as const;
const notice = { ...ada, at: "2030-01-31T09:05:59.123Z" } as const;
const coded = { ...ada, code: "482910", minutes: 10 } as const;

export const link = "https://shop.example/sign-in/link?token=abc_-123&redirectTo=%2Forders";

export const messages = {
  signInLink: { ...ada, kind: "sign-in-link", link, minutes: 10 },
  signInCode: { ...coded, kind: "sign-in-code" },
  secondStepCode: { ...coded, kind: "second-step-code" },
  setUpCode: { ...coded, kind: "set-up-code" },
  verification: { ...coded, kind: "verification", link, minutes: 1440 },
  verificationCode: { ...coded, kind: "verification", link: null },
  resetLink: { ...ada, kind: "reset-link", link, minutes: 60 },
  invitation: { ...ada, kind: "invitation", link, minutes: 7 * 24 * 60 },
  emailChange: { ...coded, name: null, kind: "email-change", link, minutes: 60 },
  emailChangeCode: { ...coded, name: null, kind: "email-change", link: null, minutes: 60 },
  emailWanted: { ...ada, kind: "email-wanted" },
  accountExists: { ...ada, kind: "account-exists" },
  webhookGone: { ...ada, kind: "webhook-disabled", host: "erp.example", isGone: true },
  webhookFailing: { ...ada, kind: "webhook-disabled", host: "erp.example", isGone: false },
  passwordChanged: { ...notice, kind: "password-changed" },
  passwordReset: { ...notice, kind: "password-reset" },
  secondStepOn: { ...notice, kind: "second-step-on" },
  secondStepOff: { ...notice, kind: "second-step-off" },
  backupCodesRenewed: { ...notice, kind: "backup-codes-renewed" },
  passkeyAdded: { ...notice, kind: "passkey-added" },
  passkeyRemoved: { ...notice, kind: "passkey-removed" },
  emailChangeRequested: { ...notice, kind: "email-change-requested" },
  emailChanged: { ...notice, kind: "email-changed" },
  appConnected: { ...notice, kind: "app-connected", host: "claude.ai" },
  appTokenReused: { ...notice, kind: "app-token-reused", host: "claude.ai" },
  viewedAs: { ...notice, kind: "viewed-as" },
  addressAdopted: { ...notice, kind: "address-adopted" },
} satisfies Readonly<Record<string, Message>>;
