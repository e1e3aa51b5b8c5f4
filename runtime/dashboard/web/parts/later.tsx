import { type ComponentType, type ReactNode, Suspense, use } from "react";
import { en } from "../text/en.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { Boundary } from "./page.js";

/** A module with one component. */
interface Loaded<Props> {
  readonly default: ComponentType<Props>;
}

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
  let loading: Promise<Loaded<Props>> | null = null;
  const renew = () => {
    loading = null;
  };
  const Shown = (props: Props) => {
    loading ??= load();
    const { default: Content } = use(loading);
    return <Content {...props} />;
  };
  return (props) => (
    <Boundary
      onError={renew}
      instead={(again) => <NotLoaded onAgain={again} onClose={() => leave(props)} />}
    >
      <Suspense fallback={waiting}>
        <Shown {...props} />
      </Suspense>
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
