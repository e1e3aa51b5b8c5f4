import type { Message } from "../../../runtime/mail/index.js";

const ada = { to: "ada@example.com", name: "Ada" } as const;
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
  accountExists: { ...ada, kind: "account-exists" },
} satisfies Readonly<Record<string, Message>>;
