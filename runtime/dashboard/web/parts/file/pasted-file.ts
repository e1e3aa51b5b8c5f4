import { type RefObject, useEffect, useRef } from "react";

/**
 * Accepts a file pasted in the returned element or outside any field; then the page's first accepting element gets it.
 * A text field keeps what is pasted into it: spreadsheets add a picture to their text.
 */
export function usePastedFile(
  accept: string,
  onFile: (file: File) => void,
): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(onFile);
  latest.current = onFile;
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const focused = document.activeElement;
      const isHere = box.current?.contains(focused) === true;
      const isElsewhere = focused?.matches("input, textarea, select, .drop *") === true;
      if (event.defaultPrevented || (!isHere && isElsewhere)) return;
      const file = [...(event.clipboardData?.files ?? [])].find((one) => isAccepted(accept, one));
      if (file === undefined) return;
      event.preventDefault();
      latest.current(file);
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
