import { z } from "zod";
import { keyText } from "./column/conversion.js";
import { movable } from "./column/row.js";
import { type CommonField, fieldNamePattern, uploadLink } from "./field.js";
import { type Kind, kindDefaults } from "./kind.js";
import { single } from "./list/options.js";
import { keyCondition, keySchema } from "./option/key-schema.js";
import { commonOptions, privateFiles } from "./option/options.js";

export interface ImageField extends CommonField {
  readonly kind: "image";
  readonly profile: string;
  /** The string field that contains the picture's alternative text; null for none. */
  readonly alt: string | null;
  readonly isPrivate: boolean;
}

const options = z
  .strictObject({
    ...commonOptions,
    ...single,
    profile: z
      .string("must be the name of an image profile")
      .regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/, "must be the name of an image profile")
      .meta({
        hint: "write a letter, then letters, digits, dashes or underscores, such as product",
      })
      .optional()
      .describe(
        "How pictures are processed: default, product, avatar, cover, or a profile of service.yaml. Default: default.",
      ),
    alt: z
      .string("must be a field's name")
      .regex(fieldNamePattern, "must be a field's name")
      .meta({ hint: "write the string field that describes the picture" })
      .optional()
      .describe(
        "The string field of the record with a description of the picture, for people who cannot see it.",
      ),
    private: privateFiles,
  })
  .describe("An uploaded picture.");

type ImageOptions = z.output<typeof options>;

/** The storage key of an uploaded picture. */
export const image: Kind<ImageField, ImageOptions> = {
  ...kindDefaults,
  canBeListed: true,
  name: "image",
  example: "{ type: image, profile: product }",
  options,
  field: (common, written) => ({
    ...common,
    kind: "image",
    profile: written.profile ?? "default",
    alt: written.alt ?? null,
    isPrivate: written.private ?? false,
  }),
  profile: ({ profile }) => (typeof profile === "string" ? profile : null),
  alt: ({ alt }) => (typeof alt === "string" ? alt : null),
  describe: ({ profile, alt, isPrivate }) => ({ profile, alt, private: isPrivate || null }),
  typescript: () => ({ name: "string" }),
  schema: keySchema,
  validation: () => ({ validator: "fileKey", argument: null }),
  condition: keyCondition,
  sql: () => ({ type: "text", check: null }),
  link: () => uploadLink,
  title: null,
  isFile: true,
  runtimeColumn: ({ isPrivate }) => ({ kind: "file", ...(isPrivate && { isPrivate }) }),
  index: "plain",
  keyBytes: () => null,
  unindexedHint: "leave it out: files are not compared",
  inRow: () => movable,
  words: () => "an image",
  textForm: () => keyText,
};
