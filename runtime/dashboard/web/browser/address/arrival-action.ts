import { useEffect, useRef } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { dropCarried } from "./address.js";

const name = "action";

/** The state of a link to a page on which something is done at once, such as `export`. */
export function withAction(action: string): Readonly<Record<string, string>> {
  return { [name]: action };
}

/** Does what the link to this page asks for, once: neither a reload nor going back does it again. */
export function useArrivalAction(action: string, act: () => void): void {
  const state = useHistoryState<Readonly<Record<string, unknown>> | null>();
  const isAsked = state?.[name] === action;
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isAsked) return;
    dropCarried(name);
    latest.current();
  }, [isAsked]);
}
