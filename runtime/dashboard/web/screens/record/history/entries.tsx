import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSession } from "../../../api/account/session.js";
import { historyQuery } from "../../../api/changes/history.js";
import { isStatus, sentence } from "../../../api/client/errors.js";
import type { Resource } from "../../../api/client/types.js";
import type { Version } from "../../../api/records/records.js";
import { Button } from "../../../parts/button/button.js";
import { Failure, Skeleton } from "../../../parts/page/page.js";
import { enHistory } from "../../../text/en/history.js";
import { EntryCard } from "./entry.js";
import "./history.css";

const text = enHistory;

export interface EntriesProps {
  readonly resource: Resource;
  readonly id: string;
  /** The current record; null if deleted. */
  readonly version: Version | null;
  readonly mayWrite: boolean;
}

/** The entries of a record's history, newest first. */
export function Entries({ resource, id, version, mayWrite }: EntriesProps): ReactNode {
  const { user } = useSession();
  const history = useInfiniteQuery(historyQuery(user.id, { resource: resource.name, id }));
  if (history.data === undefined) {
    if (!history.isError) return <Skeleton lines={8} />;
    // Accounts limited to their own records may not see the history of another account's record.
    return isStatus(history.error, 403) || isStatus(history.error, 404) ? (
      <p className="muted">{text.notShown}</p>
    ) : (
      <Failure text={sentence(history.error)} onRetry={() => void history.refetch()} />
    );
  }
  const entries = history.data.pages.flatMap(({ data }) => data);
  if (entries.length === 0) return <p className="muted">{text.none}</p>;
  return (
    <div className="stack history">
      <ol className="stack" aria-label={text.tab}>
        {entries.map((entry, at) => (
          <EntryCard
            key={entry.id}
            resource={resource}
            id={id}
            entry={entry}
            version={version}
            mayWrite={mayWrite}
            isNewest={at === 0}
          />
        ))}
      </ol>
      {history.hasNextPage ? (
        <div>
          <Button isBusy={history.isFetchingNextPage} onPress={() => void history.fetchNextPage()}>
            {text.older}
          </Button>
        </div>
      ) : (
        <p className="small muted">{text.begins(daysOf(resource))}</p>
      )}
    </div>
  );
}

function daysOf({ changes }: Resource): number {
  return typeof changes === "object" ? (changes.history ?? 0) : 0;
}
