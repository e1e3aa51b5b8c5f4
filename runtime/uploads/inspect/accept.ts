import { typesOfName } from "./extension.js";
import { isCompatible } from "./family.js";
import { bareType } from "./media-type.js";

/**
 * Whether a field accepts a file with this detected type and name. A file also counts as the type of its extension,
 * unless its bytes contradict that: `text/csv` accepts text named `.csv`, and `application/msword` accepts a compound
 * file named `.doc`.
 *
 * @param accept Media types, or `image/*`; null accepts every type that may be stored.
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
