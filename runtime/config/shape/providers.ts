import { createPrivateKey } from "node:crypto";
import { z } from "zod";
import { asciiDomain } from "../../values/addresses/email-and-url.js";
import { isLoopbackHost } from "../../values/addresses/issuer.js";
import { hasManyTenants } from "../../values/addresses/tenant.js";
import { mapOfSettings } from "./section.js";
import { flag, mustBeText, text, webAddress, whole } from "./values.js";

/** The message for an invalid name of a provider, which occurs in addresses and in the database. */
export const mustBeName = "must be a name of lower-case letters, digits and - (at most 63)";
export const providerName = /^[a-z0-9-]{1,63}$/;

const needsRoles = "needs roles too: it requires the claim that roles names";

/** The source of a provider's metadata and keys, which must be protected from changes in transit. */
const issuer = webAddress.refine(isIssuer, {
  error: "must be an https address; http is for 127.0.0.1, [::1] and localhost only",
});

function isIssuer(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || isLoopbackHost(hostname);
}

const domain = z
  .string({ error: mustBeText })
  .transform((written) => asciiDomain(written.trim().toLowerCase()) ?? "")
  .refine((found) => found !== "", { error: "must be a domain such as example.com" });

function listOf<Value extends z.ZodType>(value: Value, error: string) {
  return z.preprocess((written) => written ?? [], z.array(value, { error }));
}

const role = z
  .string({ error: mustBeText })
  .regex(/^(?!\s)[^\p{Cc}\p{Cs}]{1,255}(?<!\s)$/u, { error: "must be a role" })
  .refine((word) => !/^(?:signed-in|nobody|owner|owner\..*)$/.test(word), {
    error: "is a word of access rules, not a role",
  })
  .meta({ minLength: 1, maxLength: 255 });

const roles = z
  .strictObject(
    {
      claim: text.describe(
        "The name or path of the ID token's claim, such as realm_access.roles (GitHub: of a field of its user); its value is a string or a list of strings.",
      ),
      map: z
        .record(z.string(), role, mapOfSettings)
        .describe("Values of the claim and their roles; the first match counts."),
    },
    mapOfSettings,
  )
  .describe("Sets the account's role at each sign-in that has the claim; no role without a match.");

const shared = {
  client_ids: listOf(text, "must be a list of client ids").describe(
    "Additional accepted audiences, such as those of native apps.",
  ),
  register: flag
    .optional()
    .describe("Whether a sign-in without an account creates one; defaults to auth.registration."),
  domains: listOf(domain, "must be a list of domains").describe(
    "The exact email domains that may sign in for the first time; empty: all.",
  ),
  second_step: flag
    .default(true)
    .describe("Whether accounts with a second step must complete it, as after a password."),
  email_claim: text
    .default("email")
    .describe(
      "The claim with the email address, such as upn; users must not be able to change it.",
    ),
  session_hours: whole(1, 87_600)
    .optional()
    .describe("The maximum lifetime of a sign-in with the provider; by default no separate limit."),
  roles: roles.optional(),
  roles_required: flag
    .default(false)
    .describe(
      "Whether a sign-in without the claim of roles is refused; otherwise the role is kept.",
    ),
};

const clientId = text.describe("The app's client id at the provider.");
const clientSecret = text.describe(`Take it from the environment: \${NAME}.`);

const google = z
  .strictObject(
    {
      issuer: issuer
        .default("https://accounts.google.com")
        .describe("The provider's address; set it only to use another server in tests."),
      client_id: clientId,
      client_secret: clientSecret,
      ...shared,
    },
    mapOfSettings,
  )
  .describe("Google.");

const mustBeKey =
  "must be the private key that Apple issued (the text of its .p8 file); in a variable, line breaks may be \\n";

/** PEM; variables often contain `\n` instead of line breaks. */
const privateKey = z
  .string({ error: mustBeText })
  .transform((written) => written.replaceAll("\\n", "\n"))
  .refine(isAppleKey, { error: mustBeKey });

/** Whether the key can be Apple's: its keys are for ES256, and therefore P-256. */
function isAppleKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    return asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}

const apple = z
  .strictObject(
    {
      issuer: issuer
        .default("https://appleid.apple.com")
        .describe("The provider's address; set it only to use another server in tests."),
      client_id: text.describe("The identifier of the Services ID."),
      team_id: text.describe("The ten characters of the developer team."),
      key_id: text.describe("The ten characters of the key."),
      private_key: privateKey.describe(`The text of the key's file: \${NAME}.`),
      ...shared,
    },
    mapOfSettings,
  )
  .describe("Apple.");

const github = z
  .strictObject(
    {
      issuer: issuer
        .default("https://github.com")
        .describe("The address of GitHub or of your GitHub Enterprise Server."),
      client_id: clientId,
      client_secret: clientSecret,
      ...shared,
    },
    mapOfSettings,
  )
  .describe("GitHub.");

const mustBeOneTenant =
  "needs the id of a single tenant: administrators of other tenants control the claims of their accounts";

const microsoft = z
  .strictObject(
    {
      issuer: issuer
        .default("https://login.microsoftonline.com")
        .describe("The authority, to which /<tenant>/v2.0 is added."),
      tenant: text
        .regex(/^[A-Za-z0-9][A-Za-z0-9.-]*$/, {
          error: "must be a tenant's id, or common, organizations or consumers",
        })
        .describe("The id of one tenant, or common, organizations, consumers."),
      client_id: clientId,
      client_secret: clientSecret,
      trust_email: flag
        .default(false)
        .describe(
          "Whether email addresses of the tenant are trusted. Its administrators can set them freely.",
        ),
      ...shared,
    },
    mapOfSettings,
  )
  .superRefine(({ tenant, roles: written }, { addIssue }) => {
    if (written === undefined || !hasManyTenants(tenant)) return;
    addIssue({ code: "custom", path: ["roles"], message: mustBeOneTenant });
  })
  .describe("Microsoft Entra ID.");

const own = z
  .strictObject(
    {
      issuer: issuer.describe("The issuer of an OpenID provider, as in its metadata."),
      title: text.optional().describe("The provider's name on its button; defaults to its key."),
      client_id: clientId,
      client_secret: clientSecret,
      scope: text
        .refine((scope) => scope.split(/\s+/).includes("openid"), {
          error: "must include openid",
        })
        .default("openid email profile")
        .describe("The requested scopes."),
      ...shared,
    },
    mapOfSettings,
  )
  .describe("Any OpenID provider, by a name that you choose.");

/** `auth.providers` of `service.yaml`, by name. */
export const providersShape = z
  .preprocess(
    (value) => value ?? {},
    z
      .object(
        {
          google: google.optional(),
          apple: apple.optional(),
          github: github.optional(),
          microsoft: microsoft.optional(),
        },
        mapOfSettings,
      )
      .catchall(own)
      .superRefine((providers, { addIssue }) => {
        for (const [name, written] of Object.entries(providers)) {
          if (!providerName.test(name)) {
            addIssue({ code: "custom", path: [name], message: mustBeName });
          }
          if (written?.roles_required === true && written.roles === undefined) {
            addIssue({ code: "custom", path: [name, "roles_required"], message: needsRoles });
          }
        }
      }),
  )
  .describe("Social login, by provider.");

/**
 * An app's scheme, as in `com.example.shop:/signed-in`: a reversed domain name (RFC 8252 §7.1). Schemes that browsers
 * or other programs handle, such as `javascript` or `search-ms`, never have this form.
 */
const schemeForm = /^(?=.{1,100}$)[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+$/;

const scheme = z.string({ error: mustBeText }).regex(schemeForm, {
  error: "must be a private scheme with a dot in it, such as com.example.shop",
});

/** `auth.return_to` of `service.yaml`. */
export const returnToShape = listOf(scheme, "must be a list of schemes").describe(
  "Schemes of native apps to which sign-in with a provider may return, such as com.example.shop.",
);
