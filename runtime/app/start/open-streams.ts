import { openStreams, type StreamOptions, type Streams } from "../../changes/index.js";

/** The streams of changes; null where no descriptor asks for them. */
export function streamsOf(options: StreamOptions): Streams | null {
  const hasChanges = options.definitions.some(({ table }) => table.changes !== undefined);
  return hasChanges ? openStreams(options) : null;
}
