import { z } from "zod";
import { keyText } from "./conversion.js";
import { type CommonField, uploadLink } from "./field.js";
import { keySchema } from "./key-schema.js";
import { type Kind, kindDefaults } from "./kind.js";
import { commonOptions } from "./options.js";
import { movable } from "./row.js";

export interface ImageField extends CommonField {
  readonly kind: "image";
  readonly profile: string;
}

const options = z
  .strictObject({
    ...commonOptions,
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
  })
  .describe("An uploaded picture.");

type ImageOptions = z.output<typeof options>;

/** The storage key of an uploaded picture. */
export const image: Kind<ImageField, ImageOptions> = {
  ...kindDefaults,
  name: "image",
  example: "{ type: image, profile: product }",
  options,
  field: (common, written) => ({
    ...common,
    kind: "image",
    profile: written.profile ?? "default",
  }),
  describe: ({ profile }) => ({ profile }),
  typescript: () => ({ name: "string" }),
  schema: keySchema,
  validation: () => ({ validator: "fileKey", argument: null }),
  sql: () => ({ type: "text", check: null }),
  link: () => uploadLink,
  isFile: true,
  runtimeColumn: () => ({ kind: "file" }),
  index: "plain",
  keyBytes: () => null,
  unindexedHint: "leave it out: files are not compared",
  inRow: () => movable,
  words: () => "an image",
  textForm: () => keyText,
};
