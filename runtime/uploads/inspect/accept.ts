import { typesOfName } from "./extension.js";
import { isCompatible } from "./family.js";
import { bareType } from "./media-type.js";

/**
 * Whether a field takes a file of that detected type and that name. Besides its own type a file is taken
 * for the one of its extension, where the bytes do not say otherwise: `text/csv` takes text that is
 * named `.csv`, and `application/msword` what is named `.doc`.
 *
 * @param accept Media types, or `image/*`; null takes whatever is stored.
 */
export function acceptsType(accept: readonly string[] | null, mime: string, name: string): boolean {
  if (accept === null) return true;
  const detected = bareType(mime);
  const byName = typesOfName(name).filter((type) => isCompatible(detected, type));
  return accept.some((written) => {
    if (written.endsWith("/*")) return detected.startsWith(written.slice(0, -1));
    const type = bareType(written);
    return type === detected || byName.includes(type);
  });
}
