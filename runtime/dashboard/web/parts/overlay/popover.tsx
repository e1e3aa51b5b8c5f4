import type { ReactNode } from "react";
import { DialogTrigger } from "react-aria-components/Dialog";
import { Popover as AriaPopover } from "react-aria-components/Popover";
import "./menu.css";

export interface PopoverProps {
  readonly label: string;
  readonly button: ReactNode;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** A button that opens a popover with controls; screen readers announce it as a dialog. */
export function Popover({ label, button, isOpen, onOpenChange, children }: PopoverProps) {
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={onOpenChange}>
      {button}
      <AriaPopover className="popover" placement="bottom start" aria-label={label}>
        <div className="padded">{children}</div>
      </AriaPopover>
    </DialogTrigger>
  );
}
