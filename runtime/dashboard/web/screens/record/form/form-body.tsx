import type { ReactNode } from "react";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import type { Around, Version } from "../../../api/records/records.js";
import { staleFields } from "../../../form/stale.js";
import { changedFields, type FormAction, type FormState } from "../../../form/state.js";
import { enRecord } from "../../../text/en/record.js";
import { Values, withLinks } from "../read-only.js";
import { Fields } from "./fields.js";
import type { Refusal } from "./refusal.js";
import { Summary } from "./summary.js";

const text = enRecord;

export interface FormBodyProps {
  /** The form's id, a prefix of the ids of its inputs. */
  readonly id: string;
  readonly resource: Resource;
  readonly fields: readonly Field[];
  /** The fields that are displayed read-only. */
  readonly fixed: readonly Field[];
  readonly version: Version | null;
  readonly state: FormState;
  readonly links: Around["links"];
  readonly refusal: Refusal;
  readonly tries: number;
  /** Whether a tab covers the form. */
  readonly isCovered: boolean;
  /** Messages above the fields about changes from elsewhere. */
  readonly banners: ReactNode;
  readonly onAct: (event: FormAction) => void;
  readonly onSubmit: () => void;
  readonly onRetry: () => void;
  readonly onBusy: (field: string, state: { readonly isBusy: boolean }) => void;
  readonly onCreate: (target: Resource, take: (made: Row) => void, term: string) => void;
}

/** The form itself: problems that prevent saving, its fields, and read-only values. */
export function FormBody(props: FormBodyProps) {
  const { id, resource, fields, fixed, version, state, links, refusal, tries } = props;
  return (
    <form
      className="stack far"
      aria-label={text.details}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      {props.banners}
      <Summary
        form={id}
        resource={resource}
        fields={fields}
        state={state}
        record={version?.record ?? null}
        refusal={refusal}
        tries={tries}
        isCovered={props.isCovered}
        onRetry={props.onRetry}
      />
      {fields.length === 0 ? <p className="muted">{text.noFields}</p> : null}
      <Fields
        id={id}
        resource={resource}
        fields={fields}
        state={state}
        record={version?.record ?? null}
        links={links}
        onAct={props.onAct}
        onBusy={props.onBusy}
        onCreate={props.onCreate}
      />
      {version === null || fixed.length === 0 ? null : (
        <Values
          resource={resource}
          fields={fixed}
          record={withLinks(resource, version.record, links)}
          stale={staleFields(resource, changedFields(fields, state.before, state.mine))}
        />
      )}
      {/* Enter in a field saves, like the button in the dock. */}
      <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
    </form>
  );
}
