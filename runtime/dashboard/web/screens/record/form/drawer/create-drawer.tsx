import { useQueryClient } from "@tanstack/react-query";
import { useReducer, useState } from "react";
import { useSession } from "../../../../api/account/session.js";
import type { Resource, Row } from "../../../../api/client/types.js";
import { thing, titleField } from "../../../../api/records/descriptors.js";
import { isString } from "../../../../api/records/fields.js";
import { forgetLists } from "../../../../api/records/records.js";
import { formReducer, newBodyOf, openForm, startOf } from "../../../../form/state.js";
import { Dialog } from "../../../../parts/overlay/dialog.js";
import { enRecord } from "../../../../text/en/record.js";
import { newFields } from "../new-fields.js";
import { noRefusal, type Refusal, readRefusal } from "../refusal.js";
import { useSave } from "../use-save.js";
import { DrawerForm } from "./drawer-form.js";

const text = enRecord;

/** Creates a related record next to the form, and links the form's record to it. */
export interface Creation {
  readonly target: Resource;
  readonly take: (made: Row) => void;
  /** The search term, probably the new record's name. */
  readonly term: string;
}

export function CreateDrawer({
  target,
  take,
  term,
  onClose,
}: Creation & { readonly onClose: () => void }) {
  return (
    <Dialog title={text.new(thing(target))} look="drawer" onClose={onClose}>
      <Form target={target} take={take} term={term} onClose={onClose} />
    </Dialog>
  );
}

function Form({ target, take, term, onClose }: Creation & { readonly onClose: () => void }) {
  const { user, resources } = useSession();
  const client = useQueryClient();
  const fields = newFields(target);
  const [state, act] = useReducer(formReducer, null, () => {
    const title = titleField(target);
    const isNamed =
      title !== null && isString(title) && fields.some(({ name }) => name === title.name);
    const start = startOf(fields);
    return openForm(start, isNamed && term !== "" ? { ...start, [title.name]: term } : start);
  });
  const [refusal, setRefusal] = useState<Refusal>(noRefusal);
  const [refusals, setRefusals] = useState(0);
  const save = useSave({
    resource: target,
    attempt: null,
    onAttempt: () => {},
    onSaved: ({ version: { record } }) => {
      forgetLists(client, { account: user.id, resources, resource: target });
      take(record);
      onClose();
    },
    onMet: () => {},
    onGone: () => {},
    onRefused: (error) => {
      const read = readRefusal(error, fields, target.unique);
      act({ kind: "refused", fields: read.fields, together: read.together });
      setRefusal(read.refusal);
      setRefusals((count) => count + 1);
    },
  });
  const { mine } = state;
  return (
    <DrawerForm
      resource={target}
      fields={fields}
      state={state}
      act={act}
      record={null}
      links={{}}
      refusal={refusal}
      refusals={refusals}
      done={text.save}
      isBusy={save.isBusy}
      onSend={() =>
        save.send({
          body: newBodyOf(fields, mine),
          fields,
          mine,
          base: null,
          lines: [],
          continues: false,
        })
      }
      onClose={onClose}
    />
  );
}
