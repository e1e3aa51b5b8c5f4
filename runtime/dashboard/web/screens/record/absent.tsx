import type { ReactNode } from "react";
import { Link } from "wouter";
import { isStatus, sentence } from "../../api/client/errors.js";
import type { Resource } from "../../api/client/types.js";
import { listPath, things } from "../../api/records/descriptors.js";
import { Failure, Skeleton, Title } from "../../parts/page/page.js";
import { enRecord } from "../../text/en/record.js";

const text = enRecord;

/** The page of an unavailable record: it is loading, was deleted, or may not be seen. */
export function Absent({
  resource,
  error,
  onRetry,
}: {
  readonly resource: Resource;
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  if (error === null || error === undefined) {
    return (
      <Plain title={resource.singular} resource={resource}>
        <Skeleton lines={8} />
      </Plain>
    );
  }
  if (isStatus(error, 404)) {
    return (
      <Plain title={text.gone} resource={resource}>
        <p className="muted">{text.goneText}</p>
        <p>
          <Link className="button" href={listPath(resource)}>
            {text.backTo(things(resource))}
          </Link>
        </p>
      </Plain>
    );
  }
  return (
    <Plain title={resource.singular} resource={resource}>
      {isStatus(error, 403) ? (
        <p className="muted">{text.forbidden}</p>
      ) : (
        <Failure text={sentence(error)} onRetry={onRetry} />
      )}
    </Plain>
  );
}

/** A page with only a title and a few words. */
export function Plain({
  title,
  resource,
  children,
}: {
  readonly title: string;
  readonly resource?: Resource;
  readonly children: ReactNode;
}) {
  return (
    <>
      <div className="top">
        <div>
          {resource === undefined ? null : (
            <p className="crumbs">
              <Link href={listPath(resource)}>
                <bdi>{resource.label}</bdi>
              </Link>
            </p>
          )}
          <Title>{title}</Title>
        </div>
      </div>
      <div className="content">{children}</div>
    </>
  );
}
