import type { Field, Resource, Row } from "../../../api/client/types.js";
import { bodyOf, type FormState } from "../../../form/state.js";

/** Unique values that another record has. */
export interface TakenValues {
  /** One unique field, or several that are unique together. */
  readonly fields: readonly Field[];
  readonly values: Readonly<Record<string, unknown>>;
  /** The API's message. */
  readonly message: string;
}

/** The refused values that another record may have; `record` has the values that are not in the form. */
export function takenValuesOf(
  { fields: all, unique = [] }: Resource,
  { fields, record }: { readonly fields: readonly Field[]; readonly record: Row | null },
  { mine, refused }: FormState,
): readonly TakenValues[] {
  const inForm = (name: string) => fields.some((field) => field.name === name);
  const singles = fields
    .filter((field) => field.unique === true && refused[field.name] !== undefined)
    .map(({ name }) => [name]);
  const together = unique.filter((names) => {
    const [first = ""] = names;
    // A 422 names each of them, a 409 only the first.
    return (
      refused[first] !== undefined ||
      names.filter(inForm).every((name) => refused[name] !== undefined)
    );
  });
  return [...singles, ...together].flatMap((names) => {
    const found = names.flatMap((name) => all.find((field) => field.name === name) ?? []);
    const values = { ...record, ...bodyOf(fields, mine) };
    const isKnown = (field: Field) =>
      field.readable !== false && (values[field.name] ?? null) !== null;
    if (found.length < names.length || !found.every(isKnown)) return [];
    const message = names.map((name) => refused[name]).find((one) => one !== undefined) ?? "";
    return [
      {
        fields: found,
        values: Object.fromEntries(names.map((name) => [name, values[name]])),
        message,
      },
    ];
  });
}
