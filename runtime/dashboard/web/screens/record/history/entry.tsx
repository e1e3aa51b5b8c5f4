import { useSession } from "../../../api/account/session.js";
import { type HistoryEntry, isDeletion } from "../../../api/changes/history.js";
import { nothingRefused } from "../../../api/client/errors.js";
import type { Resource } from "../../../api/client/types.js";
import type { Version } from "../../../api/records/records.js";
import { Button } from "../../../parts/button/button.js";
import { Refusal } from "../../../parts/status/notice.js";
import { exactTime, relative, time } from "../../../text/dates.js";
import { enHistory } from "../../../text/en/history.js";
import { ChangeList } from "./changes.js";
import { reasonOf, useReverts } from "./use-reverts.js";

const text = enHistory;

export interface EntryProps {
  readonly resource: Resource;
  readonly id: string;
  readonly entry: HistoryEntry;
  /** The current record; null if deleted. */
  readonly version: Version | null;
  readonly mayWrite: boolean;
  /** Whether the record still has the state after this entry. */
  readonly isNewest: boolean;
}

/** The author of the entry, if known. */
function writerOf({ by, token, job }: HistoryEntry, own: string): string | null {
  if (job !== undefined) return text.byJob(job);
  const account = by === null ? null : by.id === own ? text.you : by.name;
  return token === undefined ? account : text.withToken(account, token);
}

/** A history entry: who did what and when, with the possible actions. */
export function EntryCard(props: EntryProps) {
  const { resource, id, entry, version, mayWrite, isNewest } = props;
  const { user } = useSession();
  const { at, op, changes } = entry;
  const who = writerOf(entry, user.id);
  const writing = mayWrite && version !== null ? version : null;
  const { revert, putBack } = useReverts({ resource, id, entry, version: writing });
  const error = revert.error ?? putBack.error;
  const listed = (
    <ChangeList
      resource={resource}
      id={id}
      entry={entry}
      record={writing?.record ?? null}
      onPutBack={(change) => {
        if (writing !== null) putBack.send({ etag: writing.etag, change });
      }}
    />
  );
  return (
    <li className="card entry">
      <div className="head">
        <div className="grow">
          <h2 dir="auto">{text.heads[op](who)}</h2>
          <time className="small muted" dateTime={at} title={exactTime(at)}>
            {`${relative(at)} · ${time(at)}`}
          </time>
        </div>
        {writing === null || isNewest || isDeletion(entry) ? null : (
          <Button
            size="small"
            label={text.revertOf(time(at))}
            isBusy={revert.isBusy}
            onPress={() => revert.send({ etag: writing.etag })}
          >
            {text.revert}
          </Button>
        )}
      </div>
      <div className="body stack near">
        <Refusal
          refused={
            error === null
              ? nothingRefused
              : { ...nothingRefused, general: reasonOf(error, resource) }
          }
        />
        {changes.length === 0 ? (
          <p className="muted">{text.nothingSeen}</p>
        ) : op === "update" ? (
          listed
        ) : (
          <details>
            <summary>{text.values(changes.length)}</summary>
            {listed}
          </details>
        )}
      </div>
    </li>
  );
}
