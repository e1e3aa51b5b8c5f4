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
  /** For a question before an irreversible action. */
  readonly isAlert?: boolean;
  /**
   * `palette`: without a heading, in the upper third, as high as its content. `picture`: as wide as the window allows.
   */
  readonly look?: "drawer" | "palette" | "picture";
  /** Whether a click outside closes the dialog: only if nothing was typed. */
  readonly closesOutside?: boolean;
}

/** A modal dialog: traps the focus, and returns it when the dialog closes. */
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
        <AriaDialog
          className={look === undefined || look === "picture" ? "dialog" : look}
          role={isAlert === true ? "alertdialog" : "dialog"}
          {...(look === "palette" ? { "aria-label": title } : {})}
        >
          {look === "palette" ? null : (
            <div className="row spread head">
              <Heading slot="title" level={2}>
                {title}
              </Heading>
              <Button look="quiet" icon="close" label={en.common.close} onPress={onClose} />
            </div>
          )}
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
