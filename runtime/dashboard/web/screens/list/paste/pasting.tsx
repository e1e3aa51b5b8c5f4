import { useEffect, useState } from "react";
import { isUnderLayer } from "../../../browser/keyboard/free-keys.js";
import { lazyPart } from "../../../parts/page/lazy-part.js";
import type { CellPlace } from "../cell/cells-of.js";
import { placeOf } from "../cell/cells-of.js";
import type { PasteProps } from "./paste.js";

const Paste = lazyPart<PasteProps>({
  load: () => import("./paste.js"),
  leave: ({ onClose }) => onClose(),
});

/** Accepts spreadsheet cells pasted at a cell. */
export function Pasting({ shown, query }: Pick<PasteProps, "shown" | "query">) {
  const [taken, setTaken] = useState<{ place: CellPlace; pasted: string } | null>(null);
  const offered = shown.editable;
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const place = placeOf(document.activeElement);
      const pasted = event.clipboardData?.getData("text/plain") ?? "";
      if (isUnderLayer() || place === null || pasted === "" || !offered.has(place.field)) return;
      event.preventDefault();
      setTaken({ place, pasted });
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, [offered]);
  if (taken === null) return null;
  return <Paste shown={shown} query={query} {...taken} onClose={() => setTaken(null)} />;
}
