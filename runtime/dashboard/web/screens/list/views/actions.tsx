import { useState } from "react";
import { sentence } from "../../../api/client/errors.js";
import { newViewId, type View, withoutView, withView } from "../../../browser/storage/views.js";
import { Button } from "../../../parts/button/button.js";
import { Menu, type MenuEntry } from "../../../parts/overlay/menu.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { lazyPart } from "../../../parts/page/lazy-part.js";
import { enList } from "../../../text/en/list.js";
import type { NameViewProps } from "./name-view.js";
import type { SharedViews } from "./shared-views.js";

const text = enList;

const NameView = lazyPart<NameViewProps>({
  load: () => import("./name-view.js"),
  leave: ({ onClose }) => onClose(),
});

export interface ViewActionsProps {
  readonly things: string;
  /** The views stored in this browser. */
  readonly views: readonly View[];
  readonly sharing: SharedViews;
  readonly current: View | null;
  /** The view that would be saved now. */
  readonly shown: Pick<View, "search" | "columns">;
  /** Stores the views of this browser, and opens one of these or a shared one. */
  readonly onChange: (views: readonly View[], opened: View | null) => void;
}

/** Saves the list as a private or shared view, or changes the open view. */
export function ViewActions(props: ViewActionsProps) {
  const { things, views, sharing, current, shown, onChange } = props;
  const [naming, setNaming] = useState<"new" | "rename" | null>(null);
  const toast = useToast();
  const save = (view: View) => {
    onChange(withView(views, view), view);
    toast(text.viewSaved(view.name));
  };
  const share = async (work: () => Promise<View>, rest: readonly View[] = views) => {
    try {
      const made = await work();
      onChange(rest, made);
      toast(text.viewSaved(made.name));
    } catch (error) {
      toast(sentence(error));
    }
  };
  const update = (view: View) => {
    if (view.shared === undefined) save(view);
    else void share(() => sharing.change(view));
  };
  const remove = async (view: View) => {
    try {
      if (view.shared !== undefined) await sharing.remove(view);
      onChange(withoutView(views, view.id), null);
      toast(text.viewDeleted(view.name));
    } catch (error) {
      toast(sentence(error));
    }
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
          entries={entriesOf(current, {
            update: () => update({ ...current, ...shown }),
            new: () => setNaming("new"),
            rename: () => setNaming("rename"),
            share: () => void share(() => sharing.add(current), withoutView(views, current.id)),
            delete: () => void remove(current),
          })}
        />
      )}
      {naming === null ? null : (
        <NameView
          title={naming === "new" ? text.viewTitle : text.renameTitle}
          name={naming === "rename" ? (current?.name ?? "") : ""}
          sharedWith={naming === "new" ? things : null}
          onClose={() => setNaming(null)}
          onSave={(name, isShared) => {
            setNaming(null);
            if (naming === "rename" && current !== null) update({ ...current, name });
            else if (isShared) void share(() => sharing.add({ ...shown, name }));
            else save({ ...shown, id: newViewId(views), name });
          }}
        />
      )}
    </>
  );
}

/** The actions on a view; only its author and operators may change a shared one. */
function entriesOf(
  { shared }: View,
  on: Readonly<Record<"update" | "new" | "rename" | "share" | "delete", () => void>>,
): readonly MenuEntry[] {
  const another = { id: "new", label: text.asNewView, onAction: on.new };
  if (shared?.mayChange === false) return [another];
  const isAll = shared !== undefined;
  return [
    {
      id: "update",
      label: isAll ? text.updateShared : text.updateView,
      onAction: on.update,
    },
    another,
    { id: "rename", label: text.renameView, onAction: on.rename },
    ...(isAll ? [] : [{ id: "share", label: text.shareView, onAction: on.share }]),
    {
      id: "delete",
      label: isAll ? text.deleteShared : text.deleteView,
      look: "danger",
      onAction: on.delete,
    },
  ];
}
