import { useLayoutEffect, useRef, useState } from "react";

// biome-ignore lint/suspicious/noExplicitAny: any parameters
type Functions = Readonly<Record<string, (...input: any[]) => void>>;

/** Functions with a stable identity that call the latest ones, so that a table need not render again. */
export function useStableCallbacks<Actions extends Functions>(actions: Actions): Actions {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  const [stable] = useState(
    () =>
      Object.fromEntries(
        Object.keys(actions).map((name) => [
          name,
          (...input: unknown[]) => latest.current[name]?.(...input),
        ]),
      ) as Actions,
  );
  return stable;
}
