import { enRecord } from "../../text/en/record.js";
import { percent } from "../../text/format.js";
import { Icon } from "../button/icon.js";

const text = enRecord;

/** A file that is being sent, or was refused. */
export interface GallerySending {
  readonly id: number;
  readonly name: string;
  readonly share: number;
  /** Null while uploading. */
  readonly message: string | null;
  /** Whether the upload of a refused file can be retried. */
  readonly canRetry: boolean;
}

/** The progress of an upload, or why it was refused, with buttons. */
export function SendingFile({
  sending: { name, share, message, canRetry },
  onRetry,
  onCancel,
}: {
  readonly sending: GallerySending;
  readonly onRetry: () => void;
  readonly onCancel: () => void;
}) {
  return (
    <div className="stack near">
      <p className="row spread">
        <bdi className="cut">{name}</bdi>
        {message === null ? <span className="small muted num">{percent(share)}</span> : null}
      </p>
      {message === null ? (
        <progress className="progress" max={1} value={share} aria-label={text.uploading(name)} />
      ) : (
        <p className="error" role="alert">
          <Icon name="alert" />
          <span>{message}</span>
        </p>
      )}
      <p className="row wrap">
        {canRetry ? (
          <button
            type="button"
            className="button small"
            aria-label={`${text.tryUpload}: ${name}`}
            onClick={onRetry}
          >
            {text.tryUpload}
          </button>
        ) : null}
        <button
          type="button"
          className="button small"
          aria-label={`${text.cancelUpload}: ${name}`}
          onClick={onCancel}
        >
          {text.cancelUpload}
        </button>
      </p>
    </div>
  );
}
