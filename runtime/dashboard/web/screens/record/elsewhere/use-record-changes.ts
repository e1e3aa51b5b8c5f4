import { useEffect, useRef } from "react";
import type { Resource } from "../../../api/client/types.js";
import { streamsChanges } from "../../../api/records/descriptors.js";

/**
 * Calls back when a record is written, if the changes of its resource are streamed. It also calls back when the stream
 * begins, because of earlier writes.
 */
export function useRecordChanges(
  resource: Resource,
  id: string | undefined,
  onChange: () => void,
): void {
  const latest = useRef(onChange);
  latest.current = onChange;
  const { name } = resource;
  const isFollowed = streamsChanges(resource);
  useEffect(() => {
    if (!isFollowed || id === undefined) return;
    let isOver = false;
    let end = () => {};
    const tell = () => latest.current();
    import("../../../api/changes/stream.js").then(
      ({ openStream }) => {
        if (isOver) return;
        end = openStream({
          watch: { [name]: { where: { id } } },
          after: null,
          onReady: tell,
          onChanges: tell,
          onReset: async () => {
            tell();
            return null;
          },
        });
      },
      // Without a stream, the record is checked on return to the window.
      () => {},
    );
    return () => {
      isOver = true;
      end();
    };
  }, [isFollowed, name, id]);
}
