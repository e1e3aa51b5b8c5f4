import { useReducer } from "react";
import type { Row } from "../../../../api/client/types.js";
import { thing } from "../../../../api/records/descriptors.js";
import { formReducer, openForm, startOf, typedOf } from "../../../../form/state.js";
import { Dialog } from "../../../../parts/overlay/dialog.js";
import { en } from "../../../../text/en/en.js";
import { enRecord } from "../../../../text/en/record.js";
import { DrawerForm } from "../drawer/drawer-form.js";
import { noRefusal } from "../refusal.js";
import type { Line } from "./state.js";

export interface LineDrawerProps {
  readonly line: Line;
  readonly title: string;
  /** The resource of the parent form. */
  readonly parent: string;
  /** The records that the line links to. */
  readonly links: Readonly<Record<string, Row | null>>;
  readonly onDone: (line: Line) => void;
  readonly onClose: () => void;
}

/** The form of one line; its changes are saved with the page's record. */
export function LineDrawer(props: LineDrawerProps) {
  return (
    <Dialog title={props.title} look="drawer" onClose={props.onClose}>
      <Form {...props} />
    </Dialog>
  );
}

function Form({ line, parent, links, onDone, onClose }: LineDrawerProps) {
  const { child, fields, base, problem } = line;
  const [state, act] = useReducer(formReducer, null, () =>
    openForm(base === null ? startOf(fields) : typedOf(fields, base.record), line.mine),
  );
  return (
    <DrawerForm
      label={thing(child)}
      resource={child}
      fields={fields}
      state={state}
      act={act}
      record={base?.record ?? null}
      links={links}
      refusal={problem === null ? noRefusal : { kind: "refused", messages: [problem] }}
      refusals={problem === null ? 0 : 1}
      done={en.common.done}
      onSend={() => {
        onDone({ ...line, mine: state.mine, problem: null });
        onClose();
      }}
      onClose={onClose}
    >
      <p className="small muted">{enRecord.savedWith(parent)}</p>
    </DrawerForm>
  );
}
