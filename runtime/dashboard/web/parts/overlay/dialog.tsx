import type { ReactNode } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { en } from "../../text/en/en.js";
import { Button } from "../button/button.js";
import "./dialog.css";

export interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** For a question before something that cannot be undone. */
  readonly isAlert?: boolean;
  readonly look?: "drawer";
  /** Whether a click outside closes it: only where nothing was typed. */
  readonly closesOutside?: boolean;
}

/** A modal dialog: it holds the focus and returns it. */
export function Dialog({ title, children, onClose, isAlert, look, closesOutside }: DialogProps) {
  return (
    <ModalOverlay
      className={`overlay ${look ?? ""}`}
      isOpen
      isDismissable={closesOutside === true}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Modal className="modal">
        <AriaDialog className={look ?? "dialog"} role={isAlert === true ? "alertdialog" : "dialog"}>
          <div className="row spread head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button look="quiet" icon="close" label={en.common.close} onPress={onClose} />
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
