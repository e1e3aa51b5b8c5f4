import { z } from "zod";
import { mapOf, mapOfSettings, section } from "./section.js";
import { flag, mustBeText, oneOf, text, webAddress, whole } from "./values.js";

/** The message for bucket storage without the name of a bucket. */
export const noBucket = "is required with driver s3";

/** Optional text. A missing value, null and empty text (an unset variable) all mean no value. */
const optionalText = z.preprocess(
  (value) => (value === "" ? null : value),
  text.nullable().default(null),
);
const optionalAddress = z.preprocess(
  (value) => (value === "" ? null : value),
  webAddress.nullable().default(null),
);

// WebP, in which images are stored, is limited to 16,383 pixels a side.
const side = whole(1, 16_383).describe("Pixels.");
const imageSize = {
  width: side,
  height: side,
  fit: oneOf(["cover", "contain"])
    .default("contain")
    .describe(
      "cover: scaled and cropped to exactly this size; contain: scaled to fit within it, never padded.",
    ),
};

const size = z.strictObject(imageSize, mapOfSettings).describe("A picture's size.");
const profile = z
  .strictObject(
    {
      ...imageSize,
      renditions: mapOf(size).describe("Additional sizes stored beside the picture, by name."),
    },
    mapOfSettings,
  )
  .describe("One way to process a picture.");

const disk = z
  .strictObject({
    driver: z.literal("disk").default("disk").describe("A folder of this machine."),
    path: text.default("storage").describe("The folder, relative to the app's."),
  })
  .describe("A folder.");

const s3 = z
  .strictObject({
    driver: z.literal("s3").describe("An S3 bucket."),
    bucket: z
      .string({
        error: (issue) => (issue.input == null ? noBucket : mustBeText(issue)),
      })
      .min(1, { error: noBucket })
      .describe("The bucket's name."),
    region: text.default("us-east-1").describe("The bucket's region."),
    endpoint: optionalAddress.describe("The address of a compatible server."),
    public_url: optionalAddress.describe(
      "The public address of the bucket for browsers; if set, the URLs of new uploads begin with it.",
    ),
    access_key_id: optionalText.describe(
      "Both keys or neither; without them the machine's identity is used.",
    ),
    secret_access_key: optionalText.describe(`Take it from the environment: \${NAME}.`),
    force_path_style: flag
      .default(false)
      .describe("Whether URLs name the bucket in the path instead of the host name."),
  })
  .describe("A bucket of Amazon S3 or a compatible server.");

const resumable = z
  .preprocess(
    (value) => value ?? {},
    z.strictObject(
      {
        max_bytes: whole(1, 1_099_511_627_776)
          .default(5_368_709_120)
          .describe(
            "The maximum size of a file, in bytes; pictures are limited by uploads.max_bytes.",
          ),
        hours: whole(1, 8_760)
          .default(24)
          .describe("Hours for which an upload stays open after its last byte."),
        pending_bytes: whole(1, 1_125_899_906_842_624)
          .default(21_474_836_480)
          .describe("The total size of an account's open uploads, in bytes."),
      },
      mapOfSettings,
    ),
  )
  .optional()
  .describe("Resumable uploads by the tus protocol; without this key there are none.");

/** `uploads` of `service.yaml`. */
export const uploadsShape = section({
  max_bytes: whole(1, 1_099_511_627_776)
    .default(10_485_760)
    .describe("The maximum size of an upload, in bytes."),
  max_decode_mb: whole(1, 65_536)
    .default(512)
    .describe("Memory for decoding one picture, in MB; a picture that needs more is refused."),
  private_seconds: whole(60, 86_400)
    .default(600)
    .describe("Seconds for which the signed URL of a private file is valid."),
  private_redirect: flag
    .default(false)
    .describe(
      "Whether private files are read directly from the bucket: their addresses redirect to a signed address of the bucket.",
    ),
  resumable,
  storage: z
    .preprocess(
      (value) => value ?? {},
      z.discriminatedUnion("driver", [disk, s3], { error: "must be one of disk, s3" }),
    )
    .describe("Where uploads are stored."),
  profiles: mapOf(profile).describe(
    "Ways to process a picture, by name, besides default, product, avatar and cover. A profile with the same name replaces the built-in one.",
  ),
}).describe("Files and pictures.");
