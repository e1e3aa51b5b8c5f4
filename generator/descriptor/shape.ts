import { z } from "zod";
import { resourceNamePattern } from "../kind/field.js";
import type { Options } from "../kind/kind.js";
import { words } from "../kind/option/options.js";
import { tableName } from "../kind/option/stored-name.js";

/** Maximum number of links from a record to the account or group that owns it. */
export const maxOwnerLinks = 3;
export const ownerPattern = /^[a-z][A-Za-z0-9]{0,62}(?:\.[a-z][A-Za-z0-9]{0,62}){0,2}$/;

const listPattern = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*\.[a-z][A-Za-z0-9]{0,62}$/;

const iconPattern = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const maxIconLength = 40;

/** One day. */
const maxCacheSeconds = 86_400;

/** Schema of the top level of a descriptor; access, fields, lists of fields and forms are read in separate files. */
export const descriptorShape = z
  .strictObject({
    label: words(255)
      .optional()
      .describe("The resource's display name in the plural: Order items."),
    singular: words(255)
      .optional()
      .describe(
        "One record in words: Order item. The type's name comes from it. Default: derived from the file's name.",
      ),
    was: z
      .string("must be a resource's name")
      .regex(resourceNamePattern, "must be a resource's name, such as order-items")
      .meta({ hint: "write the name that the file had before, without its extension" })
      .optional()
      .describe("The resource's former name: the migration renames the table and keeps its data."),
    from: z
      .string("must be a list of links")
      .regex(listPattern, "must be a list of links, such as products.tagIds")
      .meta({ hint: "write the resource and its field, such as products.tagIds" })
      .optional()
      .describe(
        "A former list of links, such as products.tagIds: the migration turns each of its entries into a record. The resource needs one required link to each side.",
      ),
    table: tableName().describe(
      "The name of the resource's table, as the database spells it, with its schema unless that is public: sales.Artist. Default: the resource's name in snake_case.",
    ),
    triggers: z
      .literal("none", "must be none")
      .meta({ hint: "write triggers: none, or remove it" })
      .optional()
      .describe(
        "none for an adopted table on which no triggers are created: every request counts its rows. Default: triggers count them.",
      ),
    id: z
      .unknown()
      .optional()
      .describe(
        "The id column of a table that another program created: its name, its type, and given: true if neither the app nor the database generates ids. Example: { column: ArtistId, type: integer }.",
      ),
    createdAt: z
      .unknown()
      .optional()
      .describe(
        "The name of the column with the time of creation, as the database spells it, or none. Default: created_at.",
      ),
    updatedAt: z
      .unknown()
      .optional()
      .describe(
        "The name of the column with the time of the last change, as the database spells it, or none. Default: updated_at.",
      ),
    access: z
      .unknown()
      .optional()
      .describe(
        "Who may do what. A more specific name takes precedence; an action without a rule is open to every signed-in caller.",
      ),
    owner: z
      .string("must be a link's name")
      .regex(
        ownerPattern,
        `must be a link to users, or a path of at most ${maxOwnerLinks} links to one`,
      )
      .meta({ hint: "write a field such as customerId, or a path such as orderId.customerId" })
      .optional()
      .describe(
        "The account that owns a record: a link to users, such as customerId, or up to three links that end there, such as orderId.customerId; only the last may be optional. With a custom sign-in (auth.enabled: false), the last one is a string with the caller's accountId. Or the members of a group. Access rules can then name the owner.",
      ),
    changes: z
      .unknown()
      .optional()
      .describe(
        "Logs every change of a record: true for live lists and webhooks, { history: 400 } to keep each record's history for that number of days as well. Default: nothing is logged.",
      ),
    trash: z
      .unknown()
      .optional()
      .describe(
        "Keeps deleted records, which can be restored: true for 30 days, or a number of days. Default: a record is deleted permanently.",
      ),
    search: z
      .unknown()
      .optional()
      .describe(
        "Full-text search: the words of these fields are found in any form, best matches first. Example: { language: english, fields: { name: A, description: B } }. Default: none.",
      ),
    title: z
      .unknown()
      .optional()
      .describe(
        "The title of a record on screens: a string field, or one to three fields and links, as in [firstName, lastName]; a link stands for its record's title. Default: the first string.",
      ),
    icon: z
      .string("must be the name of an icon")
      .regex(iconPattern, "must be the name of an icon: lower-case words with dashes between them")
      .max(maxIconLength, `must be at most ${maxIconLength} characters long`)
      .meta({
        hint: "write a name such as cart; for unknown names, the dashboard shows a table icon",
      })
      .optional()
      .describe(
        "A picture beside the resource's name, such as cart. For unknown names, the dashboard shows a table icon.",
      ),
    group: words(255)
      .optional()
      .describe("The heading under which menus list the resource: Sales."),
    list: z
      .unknown()
      .optional()
      .describe(
        "The columns of a list, which may include id, createdAt and updatedAt. Example: [name, price, status].",
      ),
    form: z
      .unknown()
      .optional()
      .describe(
        "The rows of a form: a field, or a list of fields side by side; fields that are not named follow. Example: [[name, price], description].",
      ),
    cache: z
      .int("must be a whole number of seconds")
      .min(1, `must be from 1 to ${maxCacheSeconds} seconds`)
      .max(maxCacheSeconds, `must be from 1 to ${maxCacheSeconds} seconds`)
      .meta({ hint: "write seconds, such as cache: 60" })
      .optional()
      .describe(
        "Seconds for which shared caches may store responses to callers without a token. Requires list or get to be public.",
      ),
    fields: z
      .unknown()
      .optional()
      .describe(
        "The fields by name, in the order in which a record shows them. Names are camelCase.",
      ),
    unique: z
      .unknown()
      .optional()
      .describe(
        "Lists of fields whose combined values no two records share; combinations with an empty value may repeat. Example: [[orderId, productId]].",
      ),
    indexes: z
      .unknown()
      .optional()
      .describe(
        "Indexes: lists of fields to filter and sort by, which may include createdAt and updatedAt; a dash before a name sorts in descending order. Example: [[status, -createdAt]].",
      ),
  })
  .describe(
    "resources/<name>.yaml: one resource. The file's name is the resource's name, in kebab-case.",
  );

export function isMap(value: unknown): value is Options {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
