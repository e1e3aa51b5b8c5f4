import { z } from "zod";
import {
  flag,
  mailAddress,
  mustBeText,
  oneOf,
  origin,
  postgresAddress,
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

/** Hints for some messages of the shape; the others need none. */
export const settingHints: Readonly<Record<string, string>> = {
  [noBucket]: "add bucket: <name> below uploads.storage",
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

/** `service.yaml`, every key in snake_case, every default filled in. */
export const settingsShape = section({
  app: section({ name: text.optional() }),
  server: section({
    host: text.default("127.0.0.1"),
    port: whole(0, 65_535).default(3000),
    workers: whole(1, 64).default(1),
    cors_origins: z.array(origin, { error: "must be a list of origins" }).default([]),
    max_json_bytes: whole(1, 1_073_741_824).default(1_048_576),
    trust_proxy: whole(0, 100).default(0),
  }),
  database: section({
    url: z.preprocess((value) => (value === "" ? undefined : value), postgresAddress.default("")),
    pool_size: whole(1, 1000).default(10),
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
