import { spreadsheetLine } from "../../../../../values/files/csv-line.js";
import type { Resource } from "../../../api/client/types.js";
import type { Progress } from "../../../api/records/batches.js";
import { things } from "../../../api/records/descriptors.js";
import { saveFile } from "../../../browser/files/save-file.js";
import { Button } from "../../../parts/button/button.js";
import { Notice } from "../../../parts/status/notice.js";
import { enBulk } from "../../../text/en/bulk.js";
import { en } from "../../../text/en/en.js";
import { count } from "../../../text/format.js";
import "../../../parts/status/progress.css";
import "./bulk.css";

const text = enBulk;

/** Maximum number of refusals displayed; the saved list has all of them. */
const shown = 50;

/** The progress of a run, and at its end the refusals and their reasons. */
export function BulkReport({
  resource,
  progress,
  done,
  onStop,
  onAgain,
  onClose,
}: {
  readonly resource: Resource;
  readonly progress: Progress;
  readonly done: string;
  readonly onStop: () => void;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}) {
  const { kind, total, written, refused, problem } = progress;
  const judged = written + refused.length;
  const save = () =>
    saveFile(
      text.refusalsName(things(resource)),
      [
        [resource.singular, text.reason],
        ...refused.map(({ title, reason }) => [title, reason]),
      ].map(spreadsheetLine),
      "text/csv",
    );
  return (
    <>
      {kind === "ended" ? (
        <p role="status" className="strong">
          {done}
        </p>
      ) : (
        <>
          <progress
            className="progress"
            max={Math.max(total, judged)}
            value={judged}
            aria-label={text.running(count(judged), count(total))}
          />
          <p role="status">
            {kind === "stopping" ? text.stopping : text.running(count(judged), count(total))}
          </p>
        </>
      )}
      {problem === null ? null : (
        <div role="alert">
          <Notice look="bad">{problem}</Notice>
        </div>
      )}
      {refused.length === 0 ? null : (
        <>
          <p>{text.refusals(refused.length)}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <ul className="small stack near refusals" tabIndex={0}>
            {refused.slice(0, shown).map(({ title, reason }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows
              <li key={at}>
                <bdi className="cut">{title}</bdi>
                <span className="reason">{reason}</span>
              </li>
            ))}
          </ul>
          {refused.length > shown ? (
            <p className="small muted">{text.moreRefusals(refused.length - shown)}</p>
          ) : null}
        </>
      )}
      <div className="actions">
        {refused.length === 0 || kind !== "ended" ? null : (
          <Button icon="save" onPress={save}>
            {text.saveRefusals}
          </Button>
        )}
        {kind === "held" ? (
          <Button look="primary" onPress={onAgain}>
            {text.again}
          </Button>
        ) : null}
        {kind === "ended" ? (
          <Button look="primary" onPress={onClose}>
            {en.common.close}
          </Button>
        ) : (
          <Button onPress={onStop}>{text.stop}</Button>
        )}
      </div>
    </>
  );
}
