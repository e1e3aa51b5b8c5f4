import type { ReactNode } from "react";
import { Toolbar as AriaToolbar } from "react-aria-components/Toolbar";

export interface ToolbarProps {
  readonly label: string;
  readonly className: string;
  readonly children: ReactNode;
}

/** Buttons that belong together: the arrows move between them, and Tab leaves them. */
export function Toolbar({ label, className, children }: ToolbarProps) {
  return (
    <AriaToolbar className={className} aria-label={label}>
      {children}
    </AriaToolbar>
  );
}
