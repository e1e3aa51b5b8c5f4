import type { EmittedFile } from "../emit/file.js";
import type { Model } from "../model/model.js";
import { importLines } from "../text/imports.js";
import { render } from "../text/templates.js";
import { emitPlain, header, membersOf, typeImports } from "./client.js";
import { namedResources } from "./named.js";

/** Emits `live.ts`, which needs `client/` next to it; nothing if no resource has `changes`. */
export function emitLive(model: Model): readonly EmittedFile[] {
  const streamed = namedResources(model).filter(({ resource }) => resource.changes !== null);
  if (streamed.length === 0) return [];
  const text = render("generated/live.ts", {
    header,
    imports: importLines([
      { from: "./client/index.js", names: ["Client"], typeOnly: true },
      ...typeImports(streamed, "./client/"),
      { from: "./client/stream.js", names: ofStream },
    ]),
    streams: membersOf(streamed),
  });
  return [{ path: "generated/live.ts", text }, emitPlain("stream")];
}

const ofStream = ["type ChangeOf", "changesOf", "type KnownIn", "type LiveOptions", "type WatchOf"];
