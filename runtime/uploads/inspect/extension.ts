import mediaTypes from "mime-db";
import { bareType } from "./media-type.js";
import { isWellKnown } from "./well-known.js";

/** The media types that a file's name stands for by its extension; none where that says nothing. */
export function typesOfName(name: string): readonly string[] {
  const extension = extensionOf(name);
  return own.get(extension) ?? known.get(extension) ?? [];
}

/** Those of them that whoever calls a file so means; none where hardly anybody knows the extension. */
export function wellKnownTypesOfName(name: string): readonly string[] {
  const extension = extensionOf(name);
  return own.get(extension) ?? (known.get(extension) ?? []).filter(isWellKnown);
}

/**
 * What an operating system takes for the extension: invisible characters are left out when the file
 * is served, and Windows leaves out dots, blanks and the name of a stream at the end. A name may
 * be nothing but its extension.
 */
function extensionOf(name: string): string {
  const visible = name.replaceAll(/\p{Cf}/gu, "").replace(/(?:::\$data|[.\s])+$/i, "");
  return (/\.([^./\\]*)$/.exec(visible)?.[1] ?? "").toLowerCase();
}

/** Where the public list has another type in mind than people who use the extension today, or one where they have none. */
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
    // That says that nothing is said.
    if (type === "application/octet-stream") continue;
    for (const extension of extensions) {
      types.set(extension, [...(types.get(extension) ?? []), bareType(type)]);
    }
  }
  return types;
})();
