import { z } from "zod";
import type { ImageField } from "../model/model.js";
import type { Kind } from "./kind.js";
import { commonOptions } from "./options.js";
import { movable } from "./row.js";

const options = z.strictObject({
  ...commonOptions,
  profile: z
    .string("must be the name of an image profile")
    .regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/, "must be the name of an image profile")
    .describe("write a letter, then letters, digits, dashes or underscores, such as product")
    .optional(),
});

type ImageOptions = z.output<typeof options>;

/** The storage key of an uploaded picture. */
export const image: Kind<ImageField, ImageOptions> = {
  name: "image",
  example: "{ type: image, profile: product }",
  options,
  check: () => [],
  field: (common, written) => ({
    ...common,
    kind: "image",
    profile: written.profile ?? "default",
  }),
  typescript: () => ({ name: "string" }),
  validation: () => ({ validator: "fileKey", argument: null }),
  sql: () => ({ type: "text", check: null }),
  keyBytes: () => null,
  inRow: () => movable,
};
