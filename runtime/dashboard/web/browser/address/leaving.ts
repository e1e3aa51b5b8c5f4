import { useBrowserLocation } from "wouter/use-browser-location";

/** Asks whether to leave unsaved changes before `go` navigates to `to`. */
export type Guard = (to: string, go: () => void) => void;

let guard: Guard | null = null;

/** From now on navigation asks first; the returned function ends that. */
export function guardLeaving(ask: Guard): () => void {
  guard = ask;
  return () => {
    if (guard === ask) guard = null;
  };
}

/** Asks whether to leave unsaved changes, if there are any, before `go` does something that ends in leaving. */
export function askToLeave(to: string, go: () => void): void {
  if (guard === null) go();
  else guard(to, go);
}

/** Nothing is unsaved any more: the next navigation does not ask. */
export function letLeave(): void {
  guard = null;
}

/** The location of the app: every link and every `go` passes through here. */
export function useGuardedLocation(): ReturnType<typeof useBrowserLocation> {
  const [path, navigate] = useBrowserLocation();
  return [path, guarded(navigate)];
}

type Navigate = ReturnType<typeof useBrowserLocation>[1];

function guarded(navigate: Navigate): Navigate {
  return (to, options) => {
    askToLeave(String(to), () => navigate(to, options));
  };
}
