import { useSession } from "../../api/account/session.js";
import { isStatus, sentence } from "../../api/client/errors.js";
import type { Page, Resource, Row } from "../../api/client/types.js";
import { things } from "../../api/records/descriptors.js";
import { Button } from "../../parts/button/button.js";
import { Failure, Skeleton } from "../../parts/page/page.js";
import { enList } from "../../text/en/list.js";
import { relative } from "../../text/format.js";

const text = enList;

/** What is shown where there are no rows: a skeleton, the reason, or the error. */
export function EmptyState({
  resource,
  list,
  isNarrowed,
  onClear,
  onFirst,
}: {
  readonly resource: Resource;
  readonly list: {
    readonly data: Page<Row> | undefined;
    readonly isPending: boolean;
    readonly dataUpdatedAt: number;
    readonly error: unknown;
    refetch(): unknown;
  };
  readonly isNarrowed: boolean;
  readonly onClear: () => void;
  readonly onFirst: () => void;
}) {
  const { user } = useSession();
  const { data, error } = list;
  if (list.isPending) {
    return (
      <div className="content">
        <Skeleton lines={8} />
      </div>
    );
  }
  if (error !== null && error !== undefined) {
    return (
      <div className="content">
        {isStatus(error, 403) ? (
          <div className="state">
            <p className="strong">{text.forbidden(things(resource))}</p>
            <p className="muted">{text.forbiddenRole(user.role)}</p>
          </div>
        ) : (
          <Failure
            text={data === undefined ? sentence(error) : text.old(sentence(error), ageOf(list))}
            onRetry={() => void list.refetch()}
          />
        )}
      </div>
    );
  }
  if (data === undefined || data.data.length > 0) return null;
  if (data.meta.total > 0) {
    return (
      <div className="content">
        <div className="state">
          <p className="muted">{text.pastEnd}</p>
          <Button onPress={onFirst}>{text.firstPage}</Button>
        </div>
      </div>
    );
  }
  return (
    <div className="content">
      <div className="state">
        {isNarrowed ? (
          <>
            <p className="strong">{text.matches}</p>
            <Button onPress={onClear}>{text.clearAll}</Button>
          </>
        ) : (
          <>
            <p className="strong">{text.none(things(resource))}</p>
            <p className="muted">{text.noneText}</p>
          </>
        )}
      </div>
    </div>
  );
}

function ageOf({ dataUpdatedAt }: { readonly dataUpdatedAt: number }): string {
  return relative(new Date(dataUpdatedAt).toISOString());
}
