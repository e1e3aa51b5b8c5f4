import { sentence } from "../api/client/errors.js";
import { here, leaveTo, signInPath } from "../browser/address/address.js";
import { Button } from "../parts/button/button.js";
import { Dialog } from "../parts/overlay/dialog.js";
import { Notice } from "../parts/status/notice.js";
import { Progress } from "../parts/status/progress.js";
import { en } from "../text/en/en.js";
import { enEach } from "../text/en/operators/each.js";
import { count } from "../text/format.js";
import { isNotFresh } from "./fresh.js";
import { type EachOptions, useEach } from "./use-each.js";

const text = enEach;
const mostListed = 50;

export interface EachDialogProps extends EachOptions {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly onClose: () => void;
}

/** Asks before many calls, and displays their progress. */
export function EachDialog({ title, text: words, button, find, run, onClose }: EachDialogProps) {
  const { state, start, stop } = useEach({ find, run });
  const { kind, total, done, refused, error } = state;
  const judged = done + refused.length;
  const needsSignIn = isNotFresh(error);
  return (
    <Dialog title={title} onClose={onClose} isAlert>
      {kind === "asked" ? <p>{words}</p> : null}
      {kind === "asked" || total === null ? null : (
        <div role="status">
          <Progress
            label={kind === "ended" ? text.ended : kind === "stopped" ? text.stopped : text.running}
            value={judged}
            total={total}
            words={text.of(count(judged), count(total))}
          />
        </div>
      )}
      {kind === "running" && total === null ? <p role="status">{text.finding}</p> : null}
      {error === null ? null : (
        <div role="alert">
          <Notice look="bad">
            <p>{sentence(error)}</p>
          </Notice>
        </div>
      )}
      {refused.length === 0 ? null : (
        <>
          <p>{text.refused(refused.length)}</p>
          <ul className="small stack near">
            {refused.slice(0, mostListed).map(({ title: one, reason }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows
              <li key={at}>
                <bdi>{one}</bdi>: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="actions">
        {kind === "running" ? (
          <Button onPress={stop}>{text.stop}</Button>
        ) : (
          <Button onPress={onClose} look={kind === "ended" ? "primary" : "quiet"}>
            {kind === "asked" ? en.common.cancel : en.common.close}
          </Button>
        )}
        {kind === "asked" || kind === "stopped" ? (
          <Button
            look="primary"
            onPress={() => (needsSignIn ? leaveTo(signInPath(here())) : start())}
          >
            {needsSignIn ? text.signInAgain : kind === "asked" ? button : text.goOn}
          </Button>
        ) : null}
      </div>
    </Dialog>
  );
}
