import { type Dispatch, type ReactNode, useId, useState } from "react";
import type { Field, Resource, Row } from "../../../../api/client/types.js";
import { type FormAction, type FormState, hopelessFields } from "../../../../form/state.js";
import { Button } from "../../../../parts/button/button.js";
import { en } from "../../../../text/en/en.js";
import { enRecord } from "../../../../text/en/record.js";
import { Fields, type FieldsProps } from "../fields.js";
import type { Refusal } from "../refusal.js";
import { Summary } from "../summary.js";
import { useUploading } from "../use-uploading.js";

const text = enRecord;

export interface DrawerFormProps {
  readonly label?: string;
  readonly resource: Resource;
  readonly fields: readonly Field[];
  readonly state: FormState;
  readonly act: Dispatch<FormAction>;
  /** The stored record; null for a new one. */
  readonly record: Row | null;
  readonly links: FieldsProps["links"];
  readonly refusal: Refusal;
  /** The number of times that the server refused the form. */
  readonly refusals: number;
  /** The label of the submit button. */
  readonly done: string;
  readonly isBusy?: boolean;
  /** Called if no field has a known problem and no upload is under way. */
  readonly onSend: () => void;
  readonly onClose: () => void;
  /** A note above the buttons. */
  readonly children?: ReactNode;
}

/** The form of a record in a drawer next to another record's form. */
export function DrawerForm(props: DrawerFormProps) {
  const { resource, fields, state, act, record, refusal, onSend, onClose } = props;
  const form = useId();
  const [stopped, setStopped] = useState(0);
  const { isUploading, onBusy } = useUploading();
  const submit = () => {
    if (isUploading) return;
    act({ kind: "checked", fields: fields.map(({ name }) => name) });
    if (hopelessFields(fields, state.mine).length > 0) setStopped((count) => count + 1);
    else onSend();
  };
  return (
    <form
      className="stack far narrow"
      aria-label={props.label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // This form is nested in the other one in React, though not in the document.
        event.stopPropagation();
        submit();
      }}
    >
      <Summary
        form={form}
        resource={resource}
        fields={fields}
        state={state}
        record={record}
        refusal={refusal}
        tries={stopped + props.refusals}
        onRetry={submit}
      />
      <Fields
        id={form}
        resource={resource}
        fields={fields}
        state={state}
        record={record}
        links={props.links}
        onAct={act}
        onBusy={onBusy}
        onCreate={null}
      />
      {props.children}
      <div className="actions">
        <Button onPress={onClose}>{en.common.cancel}</Button>
        <Button
          look="primary"
          type="submit"
          isBusy={props.isBusy ?? false}
          {...(isUploading ? { barred: text.waitForUpload } : {})}
        >
          {props.done}
        </Button>
      </div>
    </form>
  );
}
