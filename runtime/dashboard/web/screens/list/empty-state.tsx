import { Link } from "wouter";
import { useSession } from "../../api/account/session.js";
import { isStatus, sentence } from "../../api/client/errors.js";
import type { Page, Resource, Row } from "../../api/client/types.js";
import { listPath, may, thing, things } from "../../api/records/descriptors.js";
import type { Condition } from "../../browser/address/list-address.js";
import { Button } from "../../parts/button/button.js";
import { Icon } from "../../parts/button/icon.js";
import { Failure } from "../../parts/page/page.js";
import { SkeletonRows } from "../../parts/page/skeleton-rows.js";
import { relative } from "../../text/dates.js";
import { enList } from "../../text/en/list.js";
import { NothingFound } from "./filters/nothing-found.js";

const text = enList;

/** Shown instead of rows: a skeleton, the reason why there are none, or an error. */
export function EmptyState({
  resource,
  columns,
  list,
  page,
  loadedAt,
  isNarrowed,
  term,
  onClear,
  onInstead,
  onFirst,
}: {
  readonly resource: Resource;
  readonly columns: number;
  readonly list: {
    readonly isPending: boolean;
    readonly error: unknown;
    refetch(): unknown;
  };
  /** The page displayed below, and when it was loaded. */
  readonly page: Page<Row> | undefined;
  readonly loadedAt: number;
  readonly isNarrowed: boolean;
  readonly term: string;
  readonly onInstead: (condition: Condition) => void;
  readonly onClear: () => void;
  readonly onFirst: () => void;
}) {
  const { user } = useSession();
  const { error } = list;
  if (list.isPending) {
    return <SkeletonRows columns={columns} />;
  }
  if (error !== null && error !== undefined) {
    return (
      <div className="content">
        {isStatus(error, 403) ? (
          <div className="state">
            <p className="strong">{text.forbidden(resource.label)}</p>
            <p className="muted">{text.forbiddenRole(user.role)}</p>
          </div>
        ) : (
          <Failure
            text={page === undefined ? sentence(error) : text.old(sentence(error), ageOf(loadedAt))}
            onRetry={() => void list.refetch()}
          />
        )}
      </div>
    );
  }
  if (page === undefined || page.data.length > 0) return null;
  if (page.meta.total > 0) {
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
          <NothingFound resource={resource} term={term} onClear={onClear} onInstead={onInstead} />
        ) : (
          <>
            <p className="strong">{text.none(things(resource))}</p>
            <p className="muted">{text.noneText}</p>
            {may(resource, "create") ? (
              <Link className="button primary" href={`${listPath(resource)}/new`}>
                <Icon name="plus" />
                {text.new(thing(resource))}
              </Link>
            ) : null}
          </>
        )}
      </div>
    </div>
  );
}

function ageOf(loadedAt: number): string {
  return relative(new Date(loadedAt).toISOString());
}
