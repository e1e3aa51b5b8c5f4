import { z } from "zod";
import { isOwnerWord } from "../../values/access-rule.js";
import { readRange } from "../../values/addresses/ip-range.js";
import { parseColour } from "../../values/colour.js";

/** An integer. Digits in a text are accepted, because an interpolated value is always text. */
export function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.preprocess(
    (value) => (typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    z.int({ error }).min(min, { error }).max(max, { error }),
  );
}

const mustBeRate = "must be 0 for no limit, or <n>/s, <n>/min or <n>/h with n from 1 to 1000000";

const rateForm = /^(?:0|(?:[1-9]\d{0,5}|1000000)\/(?:s|min|h))$/;

/** A number of requests per second, minute or hour, such as `600/min`; 0 means no limit. */
export const rate = z
  .custom<0 | string>(
    (value) => value === 0 || (typeof value === "string" && rateForm.test(value)),
    { error: mustBeRate },
  )
  .meta({
    anyOf: [
      { type: "integer", enum: [0] },
      { type: "string", pattern: "^(0|([1-9][0-9]{0,5}|1000000)/(s|min|h))$" },
    ],
  });

/** True or false; may be written as text. */
export const flag = z.preprocess(
  (value) => (value === "true" ? true : value === "false" ? false : value),
  z.boolean({ error: "must be true or false" }),
);

/** Returns the message for a missing value, or for a value that is not text. */
export function mustBeText({ input }: { readonly input?: unknown }): string {
  return input == null ? "must have a value" : "must be text; put it in quotes";
}

/** Whether agents have tools, and whether only read-only tools. */
export const agentAccess = z.preprocess(
  (value) => (value === "true" ? true : value === "false" ? false : value),
  z.union([z.boolean(), z.literal("read")], { error: "must be true, false or read" }),
);

export const text = z.string({ error: mustBeText }).min(1, { error: "must not be empty" });

export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `must be one of ${words.join(", ")}` });
}

/** The words of rules that stand alone and are not part of a list. */
const ruleWords: readonly string[] = ["signed-in", "nobody", "public"];

/** Whether a word is reserved for rules and has no meaning as a role. Rules of owners or their groups need a record. */
export function isRuleWord(role: unknown): boolean {
  if (typeof role !== "string") return false;
  return ruleWords.includes(role) || isOwnerWord(role);
}

/** The schema of a role for editors. */
export const roleSchema = {
  minLength: 1,
  maxLength: 255,
  not: { anyOf: [{ enum: [...ruleWords, "owner"] }, { pattern: "^owner\\." }] },
};

const mustBeRule = "must be signed-in, nobody, public, or a list of roles such as [admin]";

/** An access rule: all signed-in callers, all callers, some roles, or none. */
export const rule = z
  .custom<"signed-in" | "nobody" | "public" | readonly string[]>(isRule, {
    error: ({ input }) => {
      const word = Array.isArray(input) ? input.find(isRuleWord) : undefined;
      return word === undefined ? mustBeRule : `${mustBeRule}; "${word}" is not a role`;
    },
  })
  .meta({
    anyOf: [
      { enum: [...ruleWords] },
      {
        type: "array",
        items: { type: "string", ...roleSchema },
        minItems: 1,
      },
    ],
  })
  .transform((written): "signed-in" | "nobody" | readonly string[] =>
    written === "public" ? [written] : written,
  );

function isRule(value: unknown): boolean {
  if (!Array.isArray(value)) return ruleWords.includes(String(value));
  return (
    value.length > 0 &&
    value.every((role) => typeof role === "string" && role !== "" && !isRuleWord(role))
  );
}

/** An absolute web address, returned without its trailing slash. */
export const webAddress = z
  .string({ error: mustBeText })
  .refine(isWebAddress, {
    error: "must be an absolute http or https address without credentials, a query or a fragment",
  })
  .transform((address) => {
    const { origin, pathname } = new URL(address);
    return origin + pathname.replace(/\/+$/, "");
  });

/** An origin such as `https://shop.example.com`. Origins are compared exactly, so a wildcard would match none. */
export const origin = webAddress
  .refine((address) => new URL(address).origin === address, {
    error: "must be an origin such as https://shop.example.com, without a path",
    abort: true,
  })
  .refine((address) => !address.includes("*"), {
    error: "must be one origin, without a wildcard",
  });

/** An address such as `127.0.0.1`, or a range such as `10.0.0.0/8`. */
export const ipRange = z
  .string({ error: mustBeText })
  .refine((written) => readRange(written) !== null, {
    error: "must be an IP address or a range such as 10.0.0.0/8",
  });

const mustBeColour = 'must be a colour such as "#1f6f5c", in quotes';

/** `#rgb` or `#rrggbb`. Without quotes, YAML parses it as a comment, and the value as null. */
export const colour = z
  .string({ error: mustBeColour })
  .refine((written) => parseColour(written) !== null, { error: mustBeColour })
  .meta({ pattern: "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$" });

/** Picture formats that every browser displays. Such a file is stored unchanged. */
export const pictureFile = text.regex(/\.(?:svg|png|webp|jpe?g)$/i, {
  error: "must be a file that ends in .svg, .png, .webp or .jpg",
});

export const postgresAddress = z
  .string({ error: mustBeText })
  .regex(/^postgres(ql)?:\/\/\S+$/, {
    error: "must be an address that begins with postgres://",
    abort: true,
  })
  .refine((address) => !hasSeveralHosts(address), {
    error:
      "must name one address: a VIP, HAProxy, a pooler, or a DNS name that follows the primary",
    abort: true,
  })
  .refine((address) => !parametersOf(address).has("schema"), {
    error: "must have no parameter schema: the app's tables are in the schema public",
    abort: true,
  })
  .refine(
    (address) =>
      parametersOf(address).get("sslmode") !== "verify-ca" ||
      parametersOf(address).has("sslrootcert"),
    {
      error: "must have sslrootcert, the file of the certificate authority, with sslmode=verify-ca",
      abort: true,
    },
  )
  .refine((address) => URL.canParse(address.replace("@/", "@host/")), {
    error:
      "must be an address such as postgres://user:password@host:5432/database; in a password, write / # ? % as %2F %23 %3F %25",
  });

export const mailAddress = z
  .string({ error: mustBeText })
  .refine((address) => /^smtps?:\/\//.test(address) && hostOf(address) !== "", {
    error: "must be an address that begins with smtp:// or smtps://",
    abort: true,
  })
  .refine((address) => [...new URL(address).searchParams.keys()].every(isMailOption), {
    error:
      "may have the options requireTLS, ignoreTLS, name, servername, authMethod and tls.… only",
  });

/** The sender of emails: `Shop <no-reply@example.com>` or the bare address. */
export const sender = text.regex(
  /^(?:[^\p{Cc}<>]*<[^\p{Cc}\s<>@]+@[^\p{Cc}\s<>@]+>|[^\p{Cc}\s<>@]+@[^\p{Cc}\s<>@]+)$/u,
  {
    error: "must be an email address, or a name and an address: Shop <no-reply@example.com>",
  },
);

/**
 * Whether the address lists several hosts, which libpq accepts in the authority or as a parameter. The server would not
 * detect which of them is the primary.
 */
function hasSeveralHosts(address: string): boolean {
  const [, authority = ""] = /^\w+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(address) ?? [];
  const hosts = parametersOf(address).getAll("host");
  return authority.includes(",") || hosts.length > 1 || hosts.some((host) => host.includes(","));
}

function parametersOf(address: string): URLSearchParams {
  const [, query = ""] = address.split("#")[0]?.split("?") ?? [];
  return new URLSearchParams(query);
}

/** Whether an option of the URL is allowed. Others would print emails, loosen timeouts or send in other ways. */
function isMailOption(name: string): boolean {
  return /^(?:requireTLS|ignoreTLS|name|servername|authMethod|tls\.\w+)$/.test(name);
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : "";
}

function isWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, search, hash } = new URL(address);
  return /^https?:$/.test(protocol) && username + password + search + hash === "";
}
