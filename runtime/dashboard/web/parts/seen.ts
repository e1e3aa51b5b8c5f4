import { type RefObject, useEffect, useRef, useState } from "react";

/** Whether the element is near the visible part, so that a page of a hundred loads only what is looked at. */
export function useSeen<E extends Element>(): readonly [RefObject<E | null>, boolean] {
  const element = useRef<E>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (element.current === null || isSeen) return;
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: "200px" },
    );
    watch.observe(element.current);
    return () => watch.disconnect();
  }, [isSeen]);
  return [element, isSeen];
}
