import { z } from "zod";
import { idTypes, type RecordId, usualId } from "../../../runtime/values/schema/id-types.js";
import { columnName } from "../../kind/option/stored-name.js";
import { isMap } from "../shape.js";
import type { DescriptorIssue } from "../source.js";

const column = columnName().unwrap();

/** The value of `id`, for the schema of descriptors. */
export const idShape = z.strictObject({
  column: column
    .optional()
    .describe("The name of the column, as the database spells it. Default: id."),
  type: z
    .enum(idTypes)
    .optional()
    .describe("The type of ids in the database; the API shows them as strings. Default: uuid."),
  given: z
    .literal(true)
    .optional()
    .describe("The database makes no ids: a create must have one. For integers and strings."),
});

const example = "for example id: { column: ArtistId, type: integer }";

/** Reads `id`: the column of a record's id, its type, and whether a create request must contain it. */
export function readId(written: unknown): {
  readonly id: RecordId;
  readonly issues: readonly DescriptorIssue[];
} {
  if (written === undefined) return { id: usualId, issues: [] };
  const wrong = (path: readonly string[], message: string, hint: string): DescriptorIssue => ({
    path: ["id", ...path],
    at: "value",
    message: `"id" ${message}`,
    hint,
  });
  if (!isMap(written)) {
    return { id: usualId, issues: [wrong([], "must be a map of column, type and given", example)] };
  }
  const parsed = idShape.safeParse(written);
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => {
      const [key] = issue.code === "unrecognized_keys" ? issue.keys : issue.path.map(String);
      if (issue.code === "unrecognized_keys") {
        return wrong([key ?? ""], `has no key "${key}"`, "its keys are column, type and given");
      }
      const expected = {
        column: issue.message,
        type: `type must be one of: ${idTypes.join(", ")}`,
        given: "given must be true, or left out",
      };
      const message = expected[key as keyof typeof expected] ?? issue.message;
      return wrong([key ?? ""], message, example);
    });
    return { id: usualId, issues };
  }
  const { column: name = usualId.column, type = usualId.type, given = false } = parsed.data;
  const id = { column: name, type, given };
  if (type !== "uuid" || !given) return { id, issues: [] };
  const hint = "leave it out, or write type: string for ids that the app does not generate";
  return { id, issues: [wrong(["given"], "takes no given: the app generates UUIDs", hint)] };
}
