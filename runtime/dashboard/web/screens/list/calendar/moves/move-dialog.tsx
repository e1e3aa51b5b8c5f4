import { useId, useState } from "react";
import { Button } from "../../../../parts/button/button.js";
import { MomentField } from "../../../../parts/form/date-time-field.js";
import { Dialog } from "../../../../parts/overlay/dialog.js";
import { en } from "../../../../text/en/en.js";
import { enCalendar } from "../../../../text/en/lists/calendar.js";

const text = enCalendar;

export interface MoveDialogProps {
  readonly title: string;
  /** The day of the record. */
  readonly day: string;
  readonly onMove: (day: string) => void;
  readonly onClose: () => void;
}

/** Asks for the new day if records cannot be moved by dragging or with keys. */
export function MoveDialog({ title, day, onMove, onClose }: MoveDialogProps) {
  const id = useId();
  const [chosen, choose] = useState(day);
  return (
    <Dialog title={text.moveTitle(title)} onClose={onClose} closesOutside={chosen === day}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen === "") return;
          onClose();
          onMove(chosen);
        }}
      >
        <MomentField
          id={id}
          label={text.day}
          type="date"
          value={chosen}
          min="0001-01-01"
          max="9999-12-31"
          onChange={choose}
          onLeave={() => {}}
        />
        <div className="actions">
          <Button onPress={onClose}>{en.common.cancel}</Button>
          <Button
            look="primary"
            type="submit"
            {...(chosen === "" ? { barred: text.chooseDay } : {})}
          >
            {text.move}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
