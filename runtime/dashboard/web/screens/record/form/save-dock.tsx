import { Button } from "../../../parts/button/button.js";
import "../../../parts/page/dock.css";
import { enRecord } from "../../../text/en/record.js";

const text = enRecord;

export interface SaveDockProps {
  readonly isBusy: boolean;
  readonly isUploading: boolean;
  readonly changed: number;
  /** The number of new, changed or removed rows below. */
  readonly lines: number;
  /** Whether the browser has a draft. */
  readonly isKept: boolean;
  /** `continues`: continue with another record after saving. */
  readonly onSave: (how: { readonly continues: boolean }) => void;
  readonly onDiscard: () => void;
}

/** The bar with the save button; it is below the form and covers nothing. */
export function SaveDock(props: SaveDockProps) {
  const { isBusy, isUploading, changed, onSave, onDiscard } = props;
  const isUrgent = isUploading || props.lines > 0;
  const waiting = isUploading ? { barred: text.waitForUpload } : {};
  return (
    <div className="save-dock">
      <Button
        look="primary"
        isBusy={isBusy}
        onPress={() => onSave({ continues: false })}
        {...waiting}
      >
        {text.save}
      </Button>
      <Button isBusy={isBusy} onPress={() => onSave({ continues: true })} {...waiting}>
        {text.saveAndGoOn}
      </Button>
      {/* On a phone only two notes fit: why saving is impossible, and which input no draft keeps. */}
      <span className={`grow small muted end ${isUrgent ? "" : "only-wide"}`} role="status">
        {statusOf(props)}
      </span>
      {changed + props.lines === 0 ? null : (
        <Button look="quiet" onPress={onDiscard}>
          {text.discard}
        </Button>
      )}
    </div>
  );
}

function statusOf({ changed, lines, isKept, isUploading }: SaveDockProps): string {
  if (isUploading) return text.waitForUpload;
  const kept = isKept ? text.draftKept : text.draftNotKept;
  if (lines > 0) {
    return [...(changed === 0 ? [] : [text.changed(changed)]), text.changedLines(lines)].join(", ");
  }
  return changed === 0 ? "" : `${text.changed(changed)}, ${kept}`;
}
