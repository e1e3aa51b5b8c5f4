import { enAccountCodes } from "./errors/account-codes.js";
import { enErrors } from "./errors/errors.js";

const plural = new Intl.PluralRules("en");

const alternatives = new Intl.ListFormat("en", { type: "disjunction" });

export function counted(value: number, one: string, other: string): string {
  return `${value} ${inNumber(value, one, other)}`;
}

/** The singular or plural for a number, without the number. */
export function inNumber(value: number, one: string, other: string): string {
  return plural.select(value) === "one" ? one : other;
}

/**
 * Texts of the sign-in page and the frame. Those of other screens are in the other files of this folder, which load
 * later. Another language is a set of files with the same types.
 */
export const en = Object.freeze({
  common: {
    appMenu: "Open the menu",
    cancel: "Cancel",
    close: "Close",
    done: "Done",
    email: "Email address",
    meanwhile: "in the meantime",
    name: "Name",
    password: "Password",
    optional: "optional",
    save: "Save",
    retry: "Try again",
    copy: "Copy",
    copyValue: (value: string) => `Copy ${value}`,
    openValue: (value: string) => `Open ${value}`,
    copied: "Copied",
    notCopied: "The browser does not let this page copy. Select the text and copy it yourself.",
    loading: "Loading",
    justNow: "just now",
    never: "never",
    empty: "empty",
    yes: "yes",
    no: "no",
    skip: "Skip to the content",
    dismiss: "Dismiss",
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    insteadOf: (value: string, label: string) => `${label}: ${value}`,
    showPassword: "Show the password",
    hidePassword: "Hide the password",
    newPassword: "New password",
    passwordHelp: (least: number) =>
      `At least ${least} characters. A phrase of several words is easy to remember.`,
    title: (page: string, app: string) => `${page} · ${app}`,
    required: "This cannot be empty",
    bytes: (count: number) => `${count} bytes`,
    either: (words: readonly string[]) => alternatives.format(words),
  },
  errors: enErrors,
  codes: enAccountCodes,
  signIn: {
    signInTo: (app: string) => `Sign in to ${app}`,
    signIn: "Sign in",
    lastWay: "The method that you used last time.",
    orPassword: "or with a password",
    orOther: "or another way",
    noPassword: "Sign in without a password",
    passkey: "Sign in with a passkey",
    passkeyCancelled: "No passkey was used. Try again, or sign in another way.",
    provider: (title: string) => `Sign in with ${title}`,
    providerInsecure: "This needs https, or an address at localhost.",
    link: "Email me a sign-in link",
    code: "Email me a six-digit code",
    linkMailed: (email: string) => `A link is on its way to ${email}. It works for 5 minutes.`,
    codeMailed: (email: string) => `A code is on its way to ${email}. It works for 5 minutes.`,
    linkSent: (email: string) =>
      `If ${email} has an account, a link is on its way. It works for 5 minutes.`,
    codeSent: (email: string) =>
      `If ${email} has an account, a code is on its way. It works for 5 minutes.`,
    mailTitle: "Check your email",
    codeLabel: "Code",
    codeHelp: "Six digits. The code is submitted as soon as it is complete.",
    sendAgain: "Send it again",
    sentAgain: "Sent again. Only the newest one works.",
    other: "Sign in another way",
    forgot: "Forgot your password?",
    newHere: "New here?",
    create: "Create an account",
    haveAccount: "Already have an account?",
    addressFirst: "Enter your email address first",
    unavailable: "You cannot sign in here: this server has no built-in sign-in.",
    wait: "One moment …",
  },
  second: {
    title: "One more step",
    totp: (app: string) => `Enter the six digits that your authenticator app shows for ${app}.`,
    email: (address: string) => `Enter the six digits that were mailed to ${address}.`,
    emailUnknown: "Enter the six digits that were mailed to you.",
    backup: "Enter one of your backup codes. Each works once.",
    backupLabel: "Backup code",
    confirm: "Confirm",
    otherWay: "Use another method",
    byTotp: "Use the authenticator app",
    byEmail: (address: string) => `Email a code to ${address}`,
    byEmailUnknown: "Email a code",
    byBackup: "Use a backup code",
    nextCode: "This code is wrong. Codes change every 30 seconds: try the next one.",
    left: (tries: number, minutes: number) =>
      `${counted(tries, "attempt", "attempts")} and ${counted(minutes, "minute", "minutes")} left.`,
    over: "This sign-in has expired, or had too many attempts. Start again.",
    restart: "Start again",
    somebodyElse: "Sign in with another account",
  },
  register: {
    title: "Create an account",
    button: "Create account",
    sent: (email: string) => `We mailed a six-digit code and a link to ${email}.`,
    off: "Only the people who run this app can create accounts.",
    byMail: "We mail you a code. There is no password to choose.",
    sendCode: "Email me a code",
    byLink: "We mail you a link. There is no password to choose.",
    sendLink: "Email me a link",
  },
  verify: {
    title: "Verify your address",
    link: "Press the button to verify your email address.",
    button: "Verify",
    done: "Your address is verified.",
    go: "Continue",
    enter: (email: string) => `Enter the six digits that were mailed to ${email}.`,
    send: "Email me a code",
    sent: (email: string) =>
      `If ${email} still has to be verified, a code is on its way. It works for an hour.`,
  },
  changeEmail: {
    title: "Change your email address",
    text: (app: string) =>
      `Press the button to make this the address of your account at ${app}. If you did not request it, close this page.`,
    button: "Change the address",
    done: "Your address is changed. Sign in with it from now on.",
    go: "Continue",
  },
  forgot: {
    title: "Forgot your password?",
    intro: "We will email you a link to set a new one.",
    button: "Email me a link",
    sent: (email: string) =>
      `If ${email} has an account, a link is on its way. It works for an hour.`,
  },
  reset: {
    title: "Set a new password",
    intro: "You will be signed out everywhere, and can sign in with the new password.",
    button: "Set password",
    done: "Your password is set. Sign in with it.",
    again: "Request a new link",
  },
  link: {
    title: "Sign in",
    text: (app: string) => `Press the button to sign in to ${app}.`,
    again: "Request a new link",
  },
  again: {
    title: "Sign in again",
    text: "Your session has ended. What you typed is still on the page behind this dialog.",
    password: (email: string) => `Password for ${email}`,
    passkey: "Use a passkey",
    leave: "Sign in another way",
    providers: "The provider's page replaces this one. Drafts of records are kept.",
  },
  frame: {
    resources: "Resources",
    administration: "Administration",
    home: "Home",
    accounts: "Accounts",
    jobs: "Jobs",
    webhooks: "Webhooks",
    activity: "Activity",
    status: "Status",
    jump: "Jump to…",
    jumpKeys: (main: string) => `${main} K`,
    fold: "Collapse the sidebar",
    keys: "Keyboard shortcuts…",
    messages: "Recent messages",
    messagesOpen: "Recent messages…",
    noMessages: "There have been no messages since this page was loaded.",
    jumpTo: "Jump to a page or a record, or run an action",
    jumpNone: (text: string) => `Nothing matches “${text}”`,
    filter: "Filter the resources",
    pinned: "Pinned",
    pin: (label: string) => `Pin ${label}`,
    you: "Your account",
    account: "Your account",
    signOut: "Sign out",
    theme: "Theme",
    themes: { system: "System", light: "Light", dark: "Dark" },
    atTheEnd: "There are no more records in this direction",
    signOutFailed: "The server did not respond, so you may still be signed in.",
  },
  provider: {
    title: "Signing in",
    linking: "Linking your account",
    back: "Back to sign-in",
    backToAccount: "Back to your account",
    denied: "You did not sign in at the provider, or it refused.",
    otherAccount:
      "You started this with a different account from the one you are signed in to now. Nothing was linked.",
    invalid: "This sign-in no longer works, or was begun in another browser. Try again.",
  },
  missing: {
    title: "Page not found",
    text: "The address may be wrong, or the page no longer exists.",
    home: "Go to the home page",
  },
  account: {
    parts: {
      profile: "Profile",
      password: "Password",
      "second-step": "Second step",
      passkeys: "Passkeys",
      "sign-ins": "Linked sign-ins",
      devices: "Devices",
      tokens: "Service tokens",
    },
  },
});
