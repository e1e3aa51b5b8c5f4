import { sentence } from "../api/client/errors.js";
import { Failure, Skeleton } from "../parts/page/page.js";

/** A placeholder for numbers that are loading. */
export function Waiting({
  query,
}: {
  readonly query: {
    readonly isError: boolean;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
}) {
  if (!query.isError) return <Skeleton lines={5} />;
  return <Failure text={sentence(query.error)} onRetry={() => void query.refetch()} />;
}
