import { sentence } from "../api/client/errors.js";
import { Failure, Skeleton } from "../parts/page/page.js";

/** A placeholder for numbers that are loading. */
export function Waiting({
  asked,
}: {
  readonly asked: {
    readonly isError: boolean;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
}) {
  if (!asked.isError) return <Skeleton lines={5} />;
  return <Failure text={sentence(asked.error)} onRetry={() => void asked.refetch()} />;
}
