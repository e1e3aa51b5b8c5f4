import { useBrowserLocation } from "wouter/use-browser-location";
import { carried, here, travel } from "./address.js";

/** Asks whether to leave unsaved changes before `go` navigates to `to`. */
export type Guard = (to: string, go: () => void) => void;

let guard: Guard | null = null;

/** Makes navigation call `ask` first; the returned function removes the guard. */
export function guardLeaving(ask: Guard): () => void {
  guard = ask;
  return () => {
    if (guard === ask) guard = null;
  };
}

/** Asks whether to leave unsaved changes, if there are any, before `go` leaves the page. */
export function askToLeave(to: string, go: () => void): void {
  if (guard === null) go();
  else guard(to, go);
}

/** Reports that nothing is unsaved any longer: the next navigation does not ask. */
export function letLeave(): void {
  guard = null;
}

/** Returns the location of the app, which every link and every `go` uses. */
export function useGuardedLocation(): ReturnType<typeof useBrowserLocation> {
  const [path, navigate] = useBrowserLocation();
  // The router decodes it partly: `%2F`, but not `%25`. This restores the browser's path.
  return [path.replaceAll("%", "%25"), guarded(navigate)];
}

type Navigate = ReturnType<typeof useBrowserLocation>[1];

function guarded(navigate: Navigate): Navigate {
  return (to, options) => {
    askToLeave(String(to), () => {
      if (options?.replace !== true) step += 1;
      const state = { ...(options?.state as object | undefined), step };
      navigate(to, { ...options, state });
    });
  };
}

/** The page's position in the browser's history, from which the distance of Back or Forward is computed. */
let step = reachedStep();
/** The target of Back or Forward while the user is asked, and the number of steps to it. */
let wanted: { readonly to: string; readonly by: number } | null = null;
let isAllowed = false;

function reachedStep(): number {
  const state = carried("step");
  return typeof state === "number" ? state : 0;
}

// When the event arrives, the browser has already left the page. It is sent back before the user is asked; the app
// receives neither navigation.
addEventListener(
  "popstate",
  (event) => {
    if (wanted !== null) {
      event.stopImmediatePropagation();
      const { to, by } = wanted;
      wanted = null;
      askToLeave(to, () => {
        isAllowed = true;
        travel(by);
      });
      return;
    }
    const by = reachedStep() - step;
    if (guard === null || isAllowed || by === 0) {
      isAllowed = false;
      step = reachedStep();
      return;
    }
    event.stopImmediatePropagation();
    wanted = { to: here(), by };
    travel(-by);
  },
  { capture: true },
);
