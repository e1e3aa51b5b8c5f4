import { didYouMean } from "../../../runtime/values/nearest.js";
import { listWordsBriefly } from "../../../runtime/values/text.js";
import type { Place } from "./place.js";

/** Returns the reason why a condition cannot use a name that is neither a stored field nor a link. */
export function nameProblem(
  name: string,
  place: Place,
): { readonly what: string; readonly hint: string } {
  if (place.isInverse(name)) {
    const hint = "a condition compares fields of the record and of records that it links to";
    return { what: "is an inverse", hint };
  }
  if (place.isComputed(name)) {
    const hint = "compare with the fields that it is computed from";
    return { what: "is computed, but a condition can compare only stored fields", hint };
  }
  if (place.isReadOnly(name)) {
    const hint = "compare with fields that a write can set";
    return { what: "is read-only, but a condition is checked before the database sets it", hint };
  }
  const what = `is not a field of "${place.name}"`;
  const renamed = place.renamed(name);
  if (renamed !== null) return { what, hint: `it was renamed to "${renamed}"` };
  const names = [...place.fields, ...place.links];
  const hint = didYouMean(name, names) ?? `the fields are ${listWordsBriefly(place.fields)}`;
  return { what, hint };
}
