import { z } from "zod";
import {
  colour,
  flag,
  mailAddress,
  mustBeText,
  oneOf,
  origin,
  pictureFile,
  postgresAddress,
  rule,
  ruleWords,
  sender,
  text,
  webAddress,
  whole,
} from "./values.js";

/** Left out, null and empty (an unset variable) all mean "none". */
const optionalText = z.preprocess(
  (value) => (value === "" ? null : value),
  text.nullable().default(null),
);
const optionalAddress = z.preprocess(
  (value) => (value === "" ? null : value),
  webAddress.nullable().default(null),
);

const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/, {
  error: "must be a name of letters, digits, - and _ that begins with a letter",
});

// WebP, the format in which images are stored, is limited to 16 383 pixels a side.
const side = whole(1, 16_383);
const imageSize = {
  width: side,
  height: side,
  fit: oneOf(["cover", "contain"]).default("contain"),
};

const mapOfSettings = { error: "must be a map of settings" };
const profile = z.strictObject(
  {
    ...imageSize,
    renditions: mapOf(z.strictObject(imageSize, mapOfSettings)),
  },
  mapOfSettings,
);

const disk = z.strictObject({
  driver: z.literal("disk").default("disk"),
  path: text.default("storage"),
});

const noBucket = "is required with driver s3";

const mustBeRoles = "must be a list of roles";
const mustBeRole = "must be a role: 1 to 255 characters without whitespace around them";
const isNoRole = "is a word of access rules, not a role";

/** Roles as accounts have them; those words mean something else in a descriptor's rules. */
const roles = z.preprocess(
  (value) => value ?? [],
  z
    .array(
      z
        .string({ error: mustBeText })
        .regex(/^(?!\s)[^\p{Cc}\p{Cs}]{1,255}(?<!\s)$/u, { error: mustBeRole })
        .refine((role) => !ruleWords.includes(role), { error: isNoRole }),
      { error: mustBeRoles },
    )
    .transform((list) => [...new Set(list)]),
);

/** Hints for some messages of the shape; the others need none. */
export const settingHints: Readonly<Record<string, string>> = {
  [noBucket]: "add bucket: <name> below uploads.storage",
  [mustBeRoles]: "write them in brackets: operators: [admin]",
  [isNoRole]: "name the roles of accounts, such as admin; an empty list means nobody",
};

const s3 = z.strictObject({
  driver: z.literal("s3"),
  bucket: z
    .string({
      error: ({ input }) => (input == null ? noBucket : mustBeText),
    })
    .min(1, { error: noBucket }),
  region: text.default("us-east-1"),
  endpoint: optionalAddress,
  public_url: optionalAddress,
  access_key_id: optionalText,
  secret_access_key: optionalText,
  force_path_style: flag.default(false),
});

/** An unset variable (`${LOGO:-}`) means none, as a missing key does. */
function unlessEmpty<Value extends z.ZodType>(value: Value) {
  return z.preprocess((written) => (written === "" ? undefined : written), value.optional());
}

/** What the app is called and looks like. */
export const appShape = section({
  name: text.optional(),
  logo: unlessEmpty(pictureFile),
  colour: unlessEmpty(colour),
});

/** `service.yaml`, every key in snake_case, every default filled in. */
export const settingsShape = section({
  app: appShape,
  client: text.optional(),
  server: section({
    host: text.default("127.0.0.1"),
    port: whole(0, 65_535).default(3000),
    workers: whole(1, 64).default(1),
    cors_origins: z.array(origin, { error: "must be a list of origins" }).default([]),
    max_json_bytes: whole(1, 1_073_741_824).default(1_048_576),
    trust_proxy: whole(0, 100).default(0),
    hook_seconds: whole(1, 600).default(5),
    drain_seconds: whole(0, 3600).default(25),
    docs: flag.default(false),
  }),
  database: section({
    url: z.preprocess((value) => (value === "" ? undefined : value), postgresAddress.default("")),
    pool_size: whole(1, 1000).default(10),
    slow_ms: whole(1, 3_600_000).default(500),
    prepare: flag.default(true),
  }),
  auth: section({
    enabled: flag.default(true),
    registration: flag.default(false),
    magic_link: flag.default(true),
    email_code: flag.default(true),
    passkeys: flag.default(true),
    two_factor: section({ authenticator: flag.default(true), email: flag.default(true) }),
    require_email_verification: flag.default(false),
    check_breached_passwords: flag.default(true),
    token_lifetime_days: whole(1, 3650).default(30),
    notices: flag.default(true),
    profiles: rule.default("signed-in"),
    operators: roles,
  }),
  uploads: section({
    max_bytes: whole(1, 1_099_511_627_776).default(10_485_760),
    max_decode_mb: whole(1, 65_536).default(512),
    storage: z.preprocess(
      (value) => value ?? {},
      z.discriminatedUnion("driver", [disk, s3], { error: "must be one of disk, s3" }),
    ),
    profiles: mapOf(profile),
  }),
  mailer: section({
    driver: oneOf(["none", "smtp"]).default("none"),
    from: sender.optional(),
    url: mailAddress.optional(),
  }),
});

export type Settings = z.output<typeof settingsShape>;

/** A map of settings; a missing or empty one has its defaults. */
function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => value ?? {}, z.strictObject(shape, mapOfSettings));
}

function mapOf<Value extends z.ZodType>(value: Value) {
  return z.preprocess((values) => values ?? {}, z.record(name, value, mapOfSettings));
}
