import type { Field } from "../../api/client/types.js";
import { fileOf } from "../../api/records/descriptors.js";
import { formDefaults, parsedAs, parsing } from "../form-rules.js";
import {
  type CellProps,
  cell,
  type Filter,
  filterDefaults,
  type Kind,
  kindDefaults,
  plain,
} from "../kind.js";

/** The displayed name of an upload. */
export function nameOf({ field, row }: Pick<CellProps, "field" | "row">): string {
  const details = fileOf(field, row);
  return details?.name ?? plain(row[field.name]).split("/").at(-1) ?? "";
}

/** Lists can be filtered only by whether there is an upload. */
const filter: Filter = {
  ...filterDefaults,
  operators: [],
  comparisons: "whole",
  accepts: () => false,
  words: () => null,
  choice: () => null,
  suited: () => "",
};

/** Common to file and picture fields: values are keys of uploads. */
export const stored = {
  ...kindDefaults,
  filter,
  isSortable: false,
  isInPlace: false,
  asks: ({ name }: Field) => [name, `${name}File`],
  isFile: true,
  form: {
    ...formDefaults,
    input: "upload",
    typed: (value) => (typeof value === "string" ? value : ""),
    parse: parsing((_, typed) => parsedAs(typed)),
    width: () => "whole",
  },
  readCell: (_, value) => cell(value.trim(), null),
} satisfies Partial<Kind>;
