import { isRunByBrowsers } from "../../values/files/browser-types.js";
import { wellKnownTypesOfName } from "./extension.js";
import { isCompatible } from "./family.js";
import { bareType, isMediaType } from "./media-type.js";

/** What the client claims about a file. */
export interface Claims {
  readonly name: string;
  /** The request's `Content-Type` header. */
  readonly contentType: string | undefined;
}

/** The claim that the detected type contradicts; null if there is no contradiction. */
export function contradictedClaim(detected: string, claims: Claims): keyof Claims | null {
  const contentType = bareType(claims.contentType ?? "");
  const saysNothing = contentType === "" || contentType === "application/octet-stream";
  if (!saysNothing && !agrees(detected, contentType)) return "contentType";
  const types = wellKnownTypesOfName(claims.name);
  return types.length === 0 || types.some((type) => agrees(detected, type)) ? null : "name";
}

function agrees(detected: string, claimed: string): boolean {
  if (detected === claimed) return true;
  return isMediaType(claimed) && !isRunByBrowsers(claimed) && isCompatible(detected, claimed);
}
