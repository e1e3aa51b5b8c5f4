import { type RefObject, useEffect, useRef, useState } from "react";

/** Whether the element has come near the viewport, so that a long page loads only what is viewed. */
export function useInView<E extends Element>(): readonly [RefObject<E | null>, boolean] {
  const element = useRef<E>(null);
  const [isInView, setInView] = useState(false);
  useEffect(() => {
    if (element.current === null || isInView) return;
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setInView(true);
      },
      { rootMargin: "200px" },
    );
    watch.observe(element.current);
    return () => watch.disconnect();
  }, [isInView]);
  return [element, isInView];
}
