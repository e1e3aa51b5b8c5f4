import { isStatus, sentence } from "../../api/client/errors.js";
import { Failure, Skeleton } from "../../parts/page/page.js";
import { enJobs } from "../../text/en/operators/jobs.js";

const text = enJobs;

/** The content while a request is pending or after it failed. */
export function Waiting({
  answer,
}: {
  readonly answer: {
    readonly isError: boolean;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
}) {
  return (
    <div className="content">
      {!answer.isError ? (
        <Skeleton lines={8} />
      ) : isStatus(answer.error, 404) || isStatus(answer.error, 403) ? (
        <p className="muted">{isStatus(answer.error, 404) ? text.missing : text.forbidden}</p>
      ) : (
        <Failure text={sentence(answer.error)} onRetry={() => void answer.refetch()} />
      )}
    </div>
  );
}
