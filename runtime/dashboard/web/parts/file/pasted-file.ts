import { type RefObject, useEffect, useRef } from "react";

/**
 * Accepts files pasted in the returned element. Files pasted outside any field go to the page's first element that
 * accepts them. A text field keeps what is pasted into it: spreadsheets add a picture to their text.
 */
export function usePastedFiles(
  accept: string,
  onFiles: (files: readonly File[]) => void,
): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const focused = document.activeElement;
      const isHere = box.current?.contains(focused) === true;
      const isElsewhere = focused?.matches("input, textarea, select, .drop *") === true;
      if (event.defaultPrevented || (!isHere && isElsewhere)) return;
      const pasted = [...(event.clipboardData?.files ?? [])];
      const files = pasted.filter((one) => isAccepted(accept, one));
      if (files.length === 0) return;
      event.preventDefault();
      latest.current(files);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, [accept]);
  return box;
}

function isAccepted(accept: string, { type }: File): boolean {
  return accept
    .split(",")
    .some(
      (one) =>
        one === "" || one === type || (one.endsWith("/*") && type.startsWith(one.slice(0, -1))),
    );
}
