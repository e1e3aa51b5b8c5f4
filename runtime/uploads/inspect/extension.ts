import mediaTypes from "mime-db";
import { bareType } from "./media-type.js";
import { isWellKnown } from "./well-known.js";

/** The media types of a file name's extension; empty if it is unknown. */
export function typesOfName(name: string): readonly string[] {
  const extension = extensionOf(name);
  return own.get(extension) ?? known.get(extension) ?? [];
}

/** The media types that a file name's extension usually means; empty if the extension is obscure. */
export function wellKnownTypesOfName(name: string): readonly string[] {
  const extension = extensionOf(name);
  return own.get(extension) ?? (known.get(extension) ?? []).filter(isWellKnown);
}

/**
 * The extension as an operating system sees it. Ignores invisible characters, since some are removed when the file is
 * served, as well as trailing dots, whitespace and the name of a stream, which Windows ignores. A name may consist only
 * of an extension.
 */
function extensionOf(name: string): string {
  const visible = name.replaceAll(/\p{Cf}/gu, "").replace(/(?:::\$data|[.\s])+$/i, "");
  return (/\.([^./\\]*)$/.exec(visible)?.[1] ?? "").toLowerCase();
}

/** Extensions whose types in the public list differ from today's use. */
const own: ReadonlyMap<string, readonly string[]> = new Map([
  ["ai", ["application/postscript", "application/pdf"]],
  ["bat", ["text/plain"]],
  ["def", []],
  ["dot", ["application/msword", "text/vnd.graphviz"]],
  ["hta", ["application/hta"]],
  ["heic", ["image/heic", "image/heif"]],
  ["in", []],
  ["key", ["application/vnd.apple.keynote", "text/plain"]],
  ["list", []],
  ["mpc", ["audio/x-musepack"]],
  ["msi", ["application/x-msi"]],
  ["mts", ["video/mp2t", "text/x-typescript"]],
  ["org", ["text/x-org"]],
  ["pls", ["audio/x-scpls"]],
  ["pot", ["application/vnd.ms-powerpoint", "text/x-gettext-translation-template"]],
  ["pub", ["application/x-mspublisher", "text/plain"]],
  ["rs", ["text/x-rust"]],
  ["skp", ["application/vnd.sketchup.skp"]],
  ["sls", ["text/yaml"]],
  ["td", ["text/plain"]],
  ["ts", ["video/mp2t", "text/x-typescript"]],
  ["vbs", ["text/vbscript"]],
]);

const known: ReadonlyMap<string, readonly string[]> = (() => {
  const types = new Map<string, string[]>();
  for (const [type, { extensions = [] }] of Object.entries(mediaTypes)) {
    // This type means "unknown".
    if (type === "application/octet-stream") continue;
    for (const extension of extensions) {
      types.set(extension, [...(types.get(extension) ?? []), bareType(type)]);
    }
  }
  return types;
})();
