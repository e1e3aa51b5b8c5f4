import type { StoredHome } from "../../../api/account/home.js";
import { useSession } from "../../../api/account/session.js";
import { Button } from "../../../parts/button/button.js";
import { enBlocks } from "../../../text/en/home/blocks.js";
import type { Arrangement } from "./use-arrangement.js";

const text = enBlocks;

/** Starts and ends rearranging. While rearranging, also replaces the home page with the shared one, or shares it. */
export function HomeActions({
  id,
  home: { own, shared },
  arrangement: { reset, share, stopSharing },
  isArranging,
  onArranging,
}: {
  /** The id of the button that begins and ends arranging. */
  readonly id: string;
  readonly home: StoredHome;
  readonly arrangement: Arrangement;
  readonly isArranging: boolean;
  readonly onArranging: (isArranging: boolean) => void;
}) {
  const { operator } = useSession();
  return (
    <div className="row wrap">
      {isArranging && own !== null ? (
        <Button onPress={reset}>{shared === null ? text.useUsual : text.useShared}</Button>
      ) : null}
      {isArranging && operator && own !== null ? (
        <Button onPress={share}>{text.share}</Button>
      ) : null}
      {isArranging && operator && shared !== null ? (
        <Button onPress={stopSharing}>{text.stopSharing}</Button>
      ) : null}
      <Button
        id={id}
        {...(isArranging ? { look: "primary" as const } : {})}
        onPress={() => onArranging(!isArranging)}
      >
        {isArranging ? text.done : text.arrange}
      </Button>
    </div>
  );
}
