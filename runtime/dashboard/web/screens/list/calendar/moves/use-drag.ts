import { type DragEvent, useRef, useState } from "react";
import { dayOf, placeIn } from "./place.js";
import type { MoveActions } from "./use-moves.js";

/** Moves records between days by dragging; `over` is the day under the pointer. */
export function useDrag(actions: MoveActions | null) {
  const [over, setOver] = useState<string | null>(null);
  const dragged = useRef<string | null>(null);
  const end = () => {
    dragged.current = null;
    setOver(null);
  };
  return {
    over,
    handlers: {
      onDragStart: ({ target, dataTransfer }: DragEvent) => {
        const place = placeIn(target as Element);
        if (place === null || actions === null) return;
        dragged.current = place.id;
        dataTransfer.effectAllowed = "move";
      },
      onDragOver: (event: DragEvent) => {
        if (dragged.current === null) return;
        const day = dayOf(event.target as Element);
        if (day !== over) setOver(day);
        if (day !== null) event.preventDefault();
      },
      onDrop: (event: DragEvent) => {
        const day = dayOf(event.target as Element);
        if (dragged.current === null || day === null) return;
        event.preventDefault();
        actions?.write(dragged.current, day);
        end();
      },
      onDragEnd: end,
    },
  };
}
