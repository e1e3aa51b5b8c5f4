import { useEffect, useRef } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { dropCarried } from "./address.js";

const name = "action";

/** Returns the state of a link to a page that performs an action on arrival, such as `export`. */
export function withAction(action: string): Readonly<Record<string, string>> {
  return { [name]: action };
}

/**
 * Performs the action that the link to this page requests, but only once: not again after a reload or navigating back.
 */
export function useArrivalAction(action: string, act: () => void): void {
  const state = useHistoryState<Readonly<Record<string, unknown>> | null>();
  const isRequested = state?.[name] === action;
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isRequested) return;
    dropCarried(name);
    latest.current();
  }, [isRequested]);
}
