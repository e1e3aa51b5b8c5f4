import { useQueryClient } from "@tanstack/react-query";
import { useId, useReducer, useState } from "react";
import { useSession } from "../../../api/account/session.js";
import type { Resource, Row } from "../../../api/client/types.js";
import { thing, titleField } from "../../../api/records/descriptors.js";
import { forgetLists } from "../../../api/records/records.js";
import { formReducer, hopelessFields, newBodyOf, openForm, startOf } from "../../../form/state.js";
import { Button } from "../../../parts/button/button.js";
import { Dialog } from "../../../parts/overlay/dialog.js";
import { en } from "../../../text/en/en.js";
import { enRecord } from "../../../text/en/record.js";
import { Fields } from "./fields.js";
import { newFields } from "./new-fields.js";
import { noRefusal, type Refusal, readRefusal } from "./refusal.js";
import { Summary } from "./summary.js";
import { useSave } from "./use-save.js";

const text = enRecord;

/** Creates a related record beside the form, and sets the link to it. */
export interface Creation {
  readonly target: Resource;
  readonly take: (made: Row) => void;
  /** What was typed to find it: its name, most likely. */
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
  const form = useId();
  const fields = newFields(target);
  const [state, act] = useReducer(formReducer, null, () => {
    const title = titleField(target);
    const isNamed = title?.type === "string" && fields.some(({ name }) => name === title.name);
    const start = startOf(fields);
    return openForm(start, isNamed && term !== "" ? { ...start, [title.name]: term } : start);
  });
  const [refusal, setRefusal] = useState<Refusal>(noRefusal);
  const [tries, setTries] = useState(0);
  const [busy, setBusy] = useState<readonly string[]>([]);
  const save = useSave({
    resource: target,
    attempt: null,
    onAttempt: () => {},
    onSaved: ({ record }) => {
      forgetLists(client, user.id, resources, target);
      take(record);
      onClose();
    },
    onMet: () => {},
    onGone: () => {},
    onRefused: (error) => {
      const read = readRefusal(error, fields, target.unique);
      act({ kind: "refused", fields: read.fields, together: read.together });
      setRefusal(read.refusal);
      setTries((count) => count + 1);
    },
  });
  const submit = () => {
    if (busy.length > 0) return;
    act({ kind: "checked", fields: fields.map(({ name }) => name) });
    if (hopelessFields(fields, state.mine).length > 0) {
      setTries((count) => count + 1);
      return;
    }
    const { mine } = state;
    save.send({ body: newBodyOf(fields, mine), fields, mine, base: null, continues: false });
  };
  return (
    <form
      className="stack far narrow"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // In React it is nested in the other form, but not in the document.
        event.stopPropagation();
        submit();
      }}
    >
      <Summary
        form={form}
        resource={target}
        fields={fields}
        state={state}
        record={null}
        refusal={refusal}
        tries={tries}
        onRetry={submit}
      />
      <Fields
        id={form}
        resource={target}
        fields={fields}
        state={state}
        record={null}
        links={{}}
        onAct={act}
        onBusy={(name, isBusy) =>
          setBusy((names) => (isBusy ? [...names, name] : names.filter((one) => one !== name)))
        }
        onCreate={null}
      />
      <div className="actions">
        <Button onPress={onClose}>{en.common.cancel}</Button>
        <Button
          look="primary"
          type="submit"
          isBusy={save.isBusy}
          {...(busy.length > 0 ? { barred: text.waitForUpload } : {})}
        >
          {text.save}
        </Button>
      </div>
    </form>
  );
}
