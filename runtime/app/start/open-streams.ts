import { openStreams, type StreamOptions, type Streams } from "../../changes/index.js";

/** The streams of changes; null where no descriptor asks for them. */
export function streamsOf(options: StreamOptions): Streams | null {
  const isTold = options.definitions.some(({ table }) => table.changes !== undefined);
  return isTold ? openStreams(options) : null;
}
