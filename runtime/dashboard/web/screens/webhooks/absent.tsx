import { isStatus, sentence } from "../../api/client/errors.js";
import { Failure, Skeleton } from "../../parts/page/page.js";
import { enWebhooks } from "../../text/en/operators/webhooks.js";

export interface AbsentProps {
  readonly answer: {
    readonly isError: boolean;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  /** The message if the content does not exist. */
  readonly missing: string;
}

/** The content while a request is pending or after it failed. */
export function Absent({ answer, missing }: AbsentProps) {
  const { isError, error, refetch } = answer;
  if (!isError) return <Skeleton lines={8} />;
  if (isStatus(error, 404)) return <p className="muted">{missing}</p>;
  if (isStatus(error, 403)) return <p className="muted">{enWebhooks.forbidden}</p>;
  return <Failure text={sentence(error)} onRetry={() => void refetch()} />;
}
