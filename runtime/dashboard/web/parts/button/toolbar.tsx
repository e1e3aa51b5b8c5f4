import type { ReactNode } from "react";
import { Toolbar as AriaToolbar } from "react-aria-components/Toolbar";

export interface ToolbarProps {
  readonly label: string;
  readonly className: string;
  readonly children: ReactNode;
}

/** A group of buttons: the arrow keys move between them, and Tab leaves the group. */
export function Toolbar({ label, className, children }: ToolbarProps) {
  return (
    <AriaToolbar className={className} aria-label={label}>
      {children}
    </AriaToolbar>
  );
}
