import type { Field, Resource } from "../api/client/types.js";
import { kindOf } from "../kinds/kinds.js";

/** A field and its width in twelve columns. */
export interface Place {
  readonly field: Field;
  readonly span: number;
}

export interface Group {
  readonly name: "all" | "required" | "optional";
  readonly places: readonly Place[];
}

/** Maximum number of fields shown in one column without subheadings. */
const fewFields = 12;

const spans = { third: 4, half: 6, whole: 12 } as const;

/** Returns the rows of a form: those of `form` in the descriptor, then the other fields by kind. */
export function layoutOf(
  { form }: Pick<Resource, "form">,
  fields: readonly Field[],
): readonly Group[] {
  const rows = (form ?? []).map((row) => (typeof row === "string" ? [row] : row));
  const named = rows.flatMap((row) => {
    const found = row.flatMap((name) => fields.filter((field) => field.name === name));
    return found.map((field): Place => ({ field, span: Math.floor(12 / found.length) }));
  });
  const rest = fields.filter((field) => !named.some((place) => place.field === field)).map(placed);
  if (form !== undefined || fields.length <= fewFields) {
    return [{ name: "all", places: [...named, ...rest] }];
  }
  const groups: readonly Group[] = [
    { name: "required", places: rest.filter(({ field }) => field.required === true) },
    { name: "optional", places: rest.filter(({ field }) => field.required !== true) },
  ];
  return groups.filter(({ places }) => places.length > 0);
}

function placed(field: Field): Place {
  return { field, span: spans[kindOf(field).form.width(field)] };
}
