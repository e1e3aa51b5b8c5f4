import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { now } from "../../text/dates.js";
import { en } from "../../text/en/en.js";
import { Button } from "../button/button.js";
import { Icon } from "../button/icon.js";
import "./toast.css";

/** How long a message is shown, in milliseconds. */
const shownMs = 6_000;
/** Maximum number of past messages, which stay available until the page is reloaded. */
const maxPast = 10;

/** An action that a message offers. */
export interface ToastAction {
  readonly label: string;
  readonly onAction: () => void;
  /**
   * Milliseconds for which the action is offered; by default as long as the message is available.
   */
  readonly lastsMs?: number;
}

export interface Toast {
  readonly text: string;
  readonly actions: readonly ToastAction[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly key: number;
}

type Say = (text: string, ...actions: readonly ToastAction[]) => void;

const Toasts = createContext<Say>(() => {});
const PastToasts = createContext<readonly Toast[]>([]);

/** Returns a function that reports a completed action; not for errors of fields. */
export function useToast(): Say {
  return useContext(Toasts);
}

/** The last messages, newest first. */
export function usePastToasts(): readonly Toast[] {
  return useContext(PastToasts);
}

export function ToastRoom({ children }: { readonly children: ReactNode }) {
  const [past, setPast] = useState<readonly Toast[]>([]);
  const [seen, setSeen] = useState(0);
  const [isHeld, setHeld] = useState(false);
  const say: Say = useCallback((text, ...actions) => {
    const at = now();
    setPast((former) => {
      const key = (former[0]?.key ?? 0) + 1;
      const once = actions.map((action) => doneOnce(action, key));
      return [{ text, actions: once, at, key }, ...former].slice(0, maxPast);
    });
    function doneOnce({ onAction, ...rest }: ToastAction, key: number): ToastAction {
      return {
        ...rest,
        onAction: () => {
          setPast((all) => all.map((one) => (one.key === key ? { ...one, actions: [] } : one)));
          onAction();
        },
      };
    }
  }, []);
  const newest = past[0] ?? null;
  const shown = newest !== null && newest.key > seen ? newest : null;
  const latest = newest?.key ?? 0;
  const dismiss = useCallback(() => setSeen(latest), [latest]);
  useEffect(() => {
    if (shown === null || isHeld) return;
    const timer = setTimeout(dismiss, Math.max(shownMs, ...shown.actions.map(lastingMs)));
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
            <ToastButtons toast={shown} onDone={dismiss} />
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

function lastingMs({ lastsMs = 0 }: ToastAction): number {
  return lastsMs;
}

/** The actions of a message that have not expired. */
export function actionsOf({ actions, at }: Toast): readonly ToastAction[] {
  const age = now() - at;
  return actions.filter(({ lastsMs }) => lastsMs === undefined || age <= lastsMs);
}

/** The buttons for a message's actions. */
export function ToastButtons({
  toast,
  onDone,
}: {
  readonly toast: Toast;
  readonly onDone: () => void;
}) {
  // The message itself stays while the user interacts with it.
  const [actions] = useState(() => actionsOf(toast));
  if (toast.actions.length === 0) return null;
  return actions.map(({ label, onAction }) => (
    <Button
      key={label}
      look="quiet"
      size="small"
      onPress={() => {
        onDone();
        onAction();
      }}
    >
      {label}
    </Button>
  ));
}
