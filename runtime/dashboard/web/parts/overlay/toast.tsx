import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { en } from "../../text/en/en.js";
import { now } from "../../text/format.js";
import { Button } from "../button/button.js";
import { Icon } from "../button/icon.js";
import "./toast.css";

/** Milliseconds for which a message is shown. */
const shownMs = 6_000;
/** What was said stays to be read again until the page is loaded anew. */
const maxPast = 10;

/** One thing that can be done about it. */
export interface ToastAction {
  readonly label: string;
  readonly onAction: () => void;
}

export interface Toast {
  readonly text: string;
  readonly action: ToastAction | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly key: number;
}

type Say = (text: string, action?: ToastAction) => void;

const Toasts = createContext<Say>(() => {});
const PastToasts = createContext<readonly Toast[]>([]);

/** Says what was done; never what a field has wrong. */
export function useToast(): Say {
  return useContext(Toasts);
}

/** What was said last, the newest first. */
export function usePastToasts(): readonly Toast[] {
  return useContext(PastToasts);
}

export function ToastRoom({ children }: { readonly children: ReactNode }) {
  const [past, setPast] = useState<readonly Toast[]>([]);
  const [seen, setSeen] = useState(0);
  const [isHeld, setHeld] = useState(false);
  const say: Say = useCallback((text, action) => {
    const toast = { text, action: action ?? null, at: now() };
    setPast((former) =>
      [{ ...toast, key: (former[0]?.key ?? 0) + 1 }, ...former].slice(0, maxPast),
    );
  }, []);
  const newest = past[0] ?? null;
  const shown = newest !== null && newest.key > seen ? newest : null;
  const latest = newest?.key ?? 0;
  const dismiss = useCallback(() => setSeen(latest), [latest]);
  useEffect(() => {
    if (shown === null || isHeld) return;
    const timer = setTimeout(dismiss, shownMs);
    return () => clearTimeout(timer);
  }, [shown, isHeld, dismiss]);
  return (
    <Toasts.Provider value={say}>
      <PastToasts.Provider value={past}>{children}</PastToasts.Provider>
      <div
        className="toasts"
        role="status"
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        {shown === null ? null : (
          <div className="toast" key={shown.key}>
            <Icon name="check" />
            <span className="grow">{shown.text}</span>
            <ToastButton toast={shown} onDone={dismiss} />
            <Button
              look="quiet"
              size="small"
              icon="close"
              label={en.common.dismiss}
              onPress={dismiss}
            />
          </div>
        )}
      </div>
    </Toasts.Provider>
  );
}

/** Does what can be done about it. */
export function ToastButton({
  toast: { action },
  onDone,
}: {
  readonly toast: Toast;
  readonly onDone: () => void;
}) {
  if (action === null) return null;
  return (
    <Button
      look="quiet"
      size="small"
      onPress={() => {
        onDone();
        action.onAction();
      }}
    >
      {action.label}
    </Button>
  );
}
