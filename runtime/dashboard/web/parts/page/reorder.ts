import { type DragEvent, type KeyboardEvent, useEffect, useState } from "react";

/** Reorders a list by dragging, or with Alt and the arrow keys. */
export function useReorder(keys: readonly string[], onKeys: (keys: readonly string[]) => void) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  // An element loses the focus when it moves in the DOM.
  useEffect(() => {
    if (focused === null) return;
    document.getElementById(focused)?.focus();
    setFocused(null);
  }, [focused]);
  const move = (from: number, to: number) => {
    const key = keys[from];
    if (key === undefined || to < 0 || to >= keys.length || from === to) return;
    onKeys(keys.toSpliced(from, 1).toSpliced(to, 0, key));
    setFocused(document.activeElement?.id || null);
  };
  return {
    move,
    onKeyDown: (event: KeyboardEvent, at: number) => {
      const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
      if (step === undefined || !event.altKey) return;
      event.preventDefault();
      move(at, at + step);
    },
    /** The properties of the element of an entry; buttons in it that move it have an id, to keep the focus. */
    entry: (at: number) => ({
      draggable: true,
      onDragStart: () => setDragged(at),
      onDragEnd: () => setDragged(null),
      onDragOver: (event: DragEvent) => event.preventDefault(),
      onDrop: (event: DragEvent) => {
        // Dropped files are for the elements around the list.
        if (dragged === null) return;
        event.preventDefault();
        event.stopPropagation();
        move(dragged, at);
        setDragged(null);
      },
    }),
  };
}
