import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { en } from "../../text/en/en.js";
import { Button } from "../button/button.js";
import { Dialog } from "./dialog.js";
import "./drawer.css";

export interface DrawerProps {
  readonly title: string;
  /** Content next to the title, and below it. */
  readonly mark?: ReactNode;
  readonly line?: ReactNode;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** Leaves the focus in the list next to the drawer. */
  readonly keepsFocus?: boolean;
}

/**
 * Shows one item next to its list, which stays usable. If there is no room for both, the drawer covers the list and
 * traps the focus, so that a covered element cannot have it.
 */
export function Drawer(props: DrawerProps) {
  const hasRoom = useSyncExternalStore(onRoom, () => room.matches);
  if (hasRoom) return <Beside {...props} />;
  const { title, line, children, onClose } = props;
  return (
    <Dialog title={title} look="drawer" onClose={onClose} closesOutside>
      {line}
      {children}
    </Dialog>
  );
}

function Beside({ title, mark, line, children, onClose, keepsFocus = false }: DrawerProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    if (!keepsFocus) heading.current?.focus({ preventScroll: true });
    return () => {
      // Unless the user has moved on, for example to another row of the list.
      if (document.activeElement !== document.body) return;
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [keepsFocus]);
  return (
    <aside
      className="look-beside"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) onClose();
      }}
    >
      <div className="row spread start">
        <div className="row grow">
          {mark}
          <div className="grow">
            <h2 ref={heading} tabIndex={-1}>
              <bdi>{title}</bdi>
            </h2>
            {line}
          </div>
        </div>
        <Button look="quiet" icon="close" label={en.common.close} onPress={onClose} />
      </div>
      {children}
    </aside>
  );
}

const room = matchMedia("(min-width: 80rem)");

function onRoom(changed: () => void): () => void {
  room.addEventListener("change", changed);
  return () => room.removeEventListener("change", changed);
}
