import type { ReactNode } from "react";
import { en } from "../text/en.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { Boundary } from "./page.js";
import { type Loaded, screen } from "./screen.js";

export interface LaterOptions<Props> {
  readonly load: () => Promise<Loaded<Props>>;
  /** Goes back to the page without it. */
  readonly leave: (props: Props) => void;
  /** What is shown meanwhile; of a layer nothing, but what is typed is meant for it. */
  readonly waiting?: ReactNode;
}

/**
 * What is loaded when it is first needed, over a page that must not be lost. Where that is impossible, a dialog says so
 * and tries again, and the page stays as it is.
 */
export function later<Props extends object>({
  load,
  leave,
  waiting = <span data-layer="" hidden />,
}: LaterOptions<Props>): (props: Props) => ReactNode {
  const Shown = screen(load, waiting);
  return (props) => (
    <Boundary instead={(again) => <NotLoaded onAgain={again} onClose={() => leave(props)} />}>
      <Shown {...props} />
    </Boundary>
  );
}

function NotLoaded({
  onAgain,
  onClose,
}: {
  readonly onAgain: () => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={en.errors.notLoaded} onClose={onClose} closesOutside>
      <p>{en.errors.notLoadedText}</p>
      <div className="actions">
        <Button onPress={() => location.reload()}>{en.errors.reload}</Button>
        <Button look="primary" onPress={onAgain}>
          {en.common.retry}
        </Button>
      </div>
    </Dialog>
  );
}
