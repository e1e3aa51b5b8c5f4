import { Notice } from "../../parts/status/notice.js";
import { Progress } from "../../parts/status/progress.js";
import { enEach } from "../../text/en/operators/each.js";
import { count } from "../../text/format.js";
import type { HandOver } from "./hand-over.js";

const mostListed = 20;

/** Shows the progress of moving the links, and the refused records. */
export function Moved({
  progress,
  words,
}: {
  readonly progress: HandOver["progress"];
  readonly words: { readonly running: string; readonly ended: string };
}) {
  if (progress === null) return null;
  const { total, written, refused, problem, kind } = progress;
  return (
    <>
      <div role="status">
        <Progress
          label={kind === "ended" ? words.ended : words.running}
          value={written + refused.length}
          total={total}
          words={enEach.of(count(written), count(total))}
        />
      </div>
      {problem === null ? null : (
        <div role="alert">
          <Notice look="bad">
            <p>{problem}</p>
          </Notice>
        </div>
      )}
      {refused.length === 0 ? null : (
        <ul className="small stack near">
          {refused.slice(0, mostListed).map(({ title, reason }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows
            <li key={at}>
              <bdi>{title}</bdi>: {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
