import mediaTypes from "mime-db";
import { refuse } from "../../errors/index.js";
import { acceptsType } from "../inspect/accept.js";
import { type Claims, contradictedClaim } from "../inspect/claims.js";
import { typesOfName } from "../inspect/extension.js";
import { bareType } from "../inspect/media-type.js";
import type { UploadField } from "../objects/fields.js";
import { refuseKind } from "../receive/arrival.js";

/**
 * Refuses (422) a file before its first byte if no content could be accepted, because any would contradict the file's
 * name or type.
 */
export function refuseHopeless(takes: UploadField, claims: Claims): void {
  const accept = takes.kind === "image" ? pictures : takes.accept;
  if (accept === "any") return;
  const claimed = [bareType(claims.contentType ?? ""), ...typesOfName(claims.name)];
  const candidates = [...claimed, ...containers, ...typesIn(accept ?? [])];
  const fits = (type: string) => contradictedClaim(type, claims) === null;
  if (candidates.some((type) => fits(type) && acceptsType(accept, type, claims.name))) return;
  const promised = claimed.find((type) => type !== "" && fits(type));
  if (promised !== undefined) refuseKind(promised);
  refuse("INVALID", { error: "A file with this name and type is not accepted" });
}

const pictures = ["image/*"];

/** Types detected for files of many other types. */
const containers = ["text/plain", "application/zip", "application/x-cfb", "application/gzip"];

/** All types that an `accept` list includes. */
function typesIn(accept: readonly string[]): readonly string[] {
  return accept.flatMap((written) =>
    written.endsWith("/*")
      ? Object.keys(mediaTypes).filter((type) => type.startsWith(written.slice(0, -1)))
      : [bareType(written)],
  );
}
