import { z } from "zod";
import { isRunByBrowsers } from "../../runtime/values/files/browser-types.js";
import { keyText } from "./column/conversion.js";
import { movable } from "./column/row.js";
import { type CommonField, uploadLink } from "./field.js";
import { type Kind, kindDefaults } from "./kind.js";
import { single } from "./list/options.js";
import { keyCondition, keySchema } from "./option/key-schema.js";
import { commonOptions, distinct, privateFiles } from "./option/options.js";

const mediaType = "must be a media type in lower case, such as application/pdf or image/*";

export interface FileField extends CommonField {
  readonly kind: "file";
  /** Media types, including patterns such as `image/*`; `any` accepts every file, null every storable type. */
  readonly accept: readonly string[] | "any" | null;
  readonly isPrivate: boolean;
}

const mediaTypes = distinct(
  z
    .string(mediaType)
    .regex(/^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/(?:\*|[a-z0-9][a-z0-9!#$&^_.+-]{0,126})$/, mediaType)
    .refine((type) => !isRunByBrowsers(type), {
      error: "is a media type that is never stored, because browsers run it",
      params: {
        hint: "remove it, or write accept: any to take every kind of file, as downloads only",
      },
    })
    .meta({
      hint: "write application/pdf instead of pdf or .pdf, image/* for all images, and accept: any for every kind of file",
    }),
  {
    most: 100,
    of: "different media types",
    example: "accept: [application/pdf, image/*], or accept: any for every kind of file",
  },
);

const options = z
  .strictObject({
    ...commonOptions,
    ...single,
    accept: z
      .union([z.literal("any"), mediaTypes])
      .meta({ hint: "write a list of media types, such as [application/pdf], or any" })
      .optional()
      .describe(
        "The media types that are accepted, such as application/pdf or image/*, or any for every kind of file, served as downloads only. Default: every type that is recognised and that browsers do not run.",
      ),
    private: privateFiles,
  })
  .describe("An uploaded file.");

type FileOptions = z.output<typeof options>;

/** The storage key of an uploaded file. */
export const file: Kind<FileField, FileOptions> = {
  ...kindDefaults,
  canBeListed: true,
  name: "file",
  example: "{ type: file, accept: [application/pdf] }",
  options,
  field: (common, written) => ({
    ...common,
    kind: "file",
    accept: written.accept ?? null,
    isPrivate: written.private ?? false,
  }),
  describe: ({ accept, isPrivate }) => ({ accept, private: isPrivate || null }),
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
  words: () => "a file",
  textForm: () => keyText,
};
