import { type ReactNode, useEffect, useRef } from "react";
import { en } from "../../text/en/en.js";
import { Button } from "../button/button.js";
import { Refusal } from "../status/notice.js";
import { Dialog } from "./dialog.js";

export interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  /** The text of the confirming button: verb and noun. */
  readonly button: string;
  readonly look?: "danger" | "primary";
  readonly isBusy: boolean;
  readonly refused: { readonly general: string | null; readonly until: number | null };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** A dialog that asks before an irreversible action. */
export function Confirm(props: ConfirmProps) {
  return (
    <Dialog title={props.title} onClose={props.onClose} isAlert closesOutside>
      <Question {...props} />
    </Dialog>
  );
}

/** Asks the question of `Confirm` inside an open dialog: dialogs never cover each other. */
export function ConfirmHere(props: ConfirmProps) {
  return (
    <Confirming title={props.title} onClose={props.onClose}>
      <Question {...props} />
    </Confirming>
  );
}

/** A confirmation that replaces other content. It gets the focus, and Escape closes only the confirmation. */
export function Confirming({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section
      className="stack"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
      {children}
    </section>
  );
}

function Question({
  text,
  button,
  look = "danger",
  isBusy,
  refused,
  onConfirm,
  onClose,
}: ConfirmProps) {
  return (
    <>
      <p>{text}</p>
      <Refusal refused={refused} />
      <div className="actions">
        <Button onPress={onClose}>{en.common.cancel}</Button>
        <Button look={look} isBusy={isBusy} onPress={onConfirm}>
          {button}
        </Button>
      </div>
    </>
  );
}
