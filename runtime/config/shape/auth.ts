import { z } from "zod";
import { appsShape } from "./apps.js";
import { providersShape, returnToShape } from "./providers.js";
import { section } from "./section.js";
import { sitesShape } from "./sites.js";
import { flag, isRuleWord, mustBeText, roleSchema, rule, whole } from "./values.js";

export const mustBeRoles = "must be a list of roles";
const mustBeRole = "must be a role: 1 to 255 characters without whitespace around them";
export const isNoRole = "is a word of access rules, not a role";

/** The roles of accounts. Words that have another meaning in a descriptor's rules are refused. */
const roles = z.preprocess(
  (value) => value ?? [],
  z
    .array(
      z
        .string({ error: mustBeText })
        .regex(/^(?!\s)[^\p{Cc}\p{Cs}]{1,255}(?<!\s)$/u, { error: mustBeRole })
        .refine((role) => !isRuleWord(role), { error: isNoRole })
        .meta(roleSchema),
      { error: mustBeRoles },
    )
    .transform((list) => [...new Set(list)]),
);

const mustBeWords = "must be a list of at most 100 words of 3 to 64 characters";

/** The words, normalized like passwords, and in lower case. */
const passwordWords = z
  .array(
    z
      .string({ error: mustBeText })
      .regex(/^\S.{1,62}\S$/u, { error: mustBeWords })
      .meta({ minLength: 3, maxLength: 64 }),
    { error: mustBeWords },
  )
  .max(100, { error: mustBeWords })
  .default([])
  .transform((words) => words.map((word) => word.normalize("NFKC").toLowerCase()));

export const authShape = section({
  enabled: flag.default(true).describe("Whether there are accounts and sign-in at all."),
  registration: flag
    .default(false)
    .describe("Whether users can register; SERVICE_REGISTRATION overrides it."),
  register_by_email: flag
    .default(false)
    .describe(
      "Whether sign-in links and codes are also mailed to addresses without an account, and create one when used.",
    ),
  magic_link: flag.default(true).describe("Sign-in by an emailed link."),
  email_code: flag.default(true).describe("Sign-in by an emailed code."),
  passkeys: flag.default(true).describe("Sign-in by passkey."),
  two_factor: section({
    authenticator: flag.default(true).describe("Codes of an authenticator app."),
    email: flag.default(true).describe("Emailed codes."),
  }).describe("The second step after a password."),
  require_email_verification: flag
    .default(false)
    .describe("Whether password sign-in requires a verified address."),
  delete_own_account: flag
    .default(false)
    .describe("Whether users can delete their account, and the records that are deleted with it."),
  check_breached_passwords: flag
    .default(true)
    .describe("Whether new passwords in a public breach list are refused."),
  forbidden_password_words: passwordWords.describe(
    "Words of 3 to 64 characters that no new password may contain, such as the app's name; case does not matter.",
  ),
  token_lifetime_days: whole(1, 3650).default(30).describe("How long a sign-in lasts."),
  idle_hours: whole(0, 87_600)
    .default(0)
    .describe("How long an unused sign-in lasts; 0: no separate limit."),
  notices: flag
    .default(true)
    .describe(
      "Whether account owners are mailed about changes to their password, second step and passkeys.",
    ),
  profiles: rule
    .default("signed-in")
    .describe(
      "Who may read other accounts' names and pictures in linked records: signed-in, nobody, public, or a list of roles.",
    ),
  operators: roles.describe(
    "Roles whose accounts may invite, change and delete accounts over HTTP; without one these routes do not exist.",
  ),
  sites: sitesShape,
  providers: providersShape,
  return_to: returnToShape,
  apps: appsShape,
}).describe("How users sign in.");
