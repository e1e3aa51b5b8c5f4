import { useState } from "react";
import { newViewId, type View, withoutView, withView } from "../../../browser/storage/views.js";
import { Button } from "../../../parts/button/button.js";
import { Field } from "../../../parts/form/field.js";
import { Dialog } from "../../../parts/overlay/dialog.js";
import { Menu } from "../../../parts/overlay/menu.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { en } from "../../../text/en/en.js";
import { enList } from "../../../text/en/list.js";

const text = enList;

export interface ViewActionsProps {
  readonly views: readonly View[];
  readonly current: View | null;
  /** The view that would be saved now. */
  readonly shown: Pick<View, "search" | "columns">;
  readonly onChange: (views: readonly View[], opened: View | null) => void;
}

/** Saves the list as a view, or changes the open view. */
export function ViewActions({ views, current, shown, onChange }: ViewActionsProps) {
  const [naming, setNaming] = useState<"new" | "rename" | null>(null);
  const toast = useToast();
  const save = (view: View) => {
    onChange(withView(views, view), view);
    toast(text.viewSaved(view.name));
  };
  return (
    <>
      {current === null ? (
        <Button look="quiet" size="small" onPress={() => setNaming("new")}>
          {text.saveView}
        </Button>
      ) : (
        <Menu
          label={text.view}
          button={
            <Button look="quiet" size="small">
              {text.view}
            </Button>
          }
          entries={[
            {
              id: "update",
              label: text.updateView,
              onAction: () => save({ ...current, ...shown }),
            },
            { id: "new", label: text.asNewView, onAction: () => setNaming("new") },
            { id: "rename", label: text.renameView, onAction: () => setNaming("rename") },
            {
              id: "delete",
              label: text.deleteView,
              look: "danger",
              onAction: () => {
                onChange(withoutView(views, current.id), null);
                toast(text.viewDeleted(current.name));
              },
            },
          ]}
        />
      )}
      {naming === null ? null : (
        <NameView
          title={naming === "new" ? text.viewTitle : text.renameTitle}
          name={naming === "rename" ? (current?.name ?? "") : ""}
          onClose={() => setNaming(null)}
          onSave={(name) => {
            setNaming(null);
            if (naming === "rename" && current !== null) save({ ...current, name });
            else save({ ...shown, id: newViewId(views), name });
          }}
        />
      )}
    </>
  );
}

function NameView({
  title,
  name,
  onSave,
  onClose,
}: {
  readonly title: string;
  readonly name: string;
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState(name);
  const [isWrong, setWrong] = useState(false);
  return (
    <Dialog title={title} onClose={onClose} closesOutside={typed === name}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() === "") setWrong(true);
          else onSave(typed.trim());
        }}
      >
        <Field
          label={text.viewName}
          name="name"
          value={typed}
          maxLength={60}
          autoFocus
          error={isWrong ? en.common.required : undefined}
          onChange={(next) => {
            setWrong(false);
            setTyped(next);
          }}
        />
        <div className="actions">
          <Button onPress={onClose}>{en.common.cancel}</Button>
          <Button look="primary" type="submit">
            {en.common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
