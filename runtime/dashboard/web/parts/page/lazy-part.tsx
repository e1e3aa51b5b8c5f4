import type { ReactNode } from "react";
import { en } from "../../text/en/en.js";
import { Button } from "../button/button.js";
import { Dialog } from "../overlay/dialog.js";
import { Boundary } from "./page.js";
import { type Loaded, screen } from "./screen.js";

export interface LazyPartOptions<Props> {
  readonly load: () => Promise<Loaded<Props>>;
  /** Goes back to the page without the component. */
  readonly leave: (props: Props) => void;
  /** Shown while the component loads; for an overlay, an invisible element that already captures keys. */
  readonly waiting?: ReactNode;
}

/**
 * A component loaded when it is first needed, over a page that must not be lost. If loading fails, a dialog reports it
 * and offers to retry; the page stays as it is.
 */
export function lazyPart<Props extends object>({
  load,
  leave,
  waiting = <span data-layer="" hidden />,
}: LazyPartOptions<Props>): ((props: Props) => ReactNode) & { readonly preload: () => void } {
  const Shown = screen(load, waiting);
  const Part = (props: Props) => (
    <Boundary instead={(again) => <NotLoaded onAgain={again} onClose={() => leave(props)} />}>
      <Shown {...props} />
    </Boundary>
  );
  return Object.assign(Part, { preload: Shown.preload });
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
