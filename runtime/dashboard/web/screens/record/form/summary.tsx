import { useEffect, useRef } from "react";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { labelOf } from "../../../api/records/descriptors.js";
import { type FormState, shownProblem } from "../../../form/state.js";
import { Button } from "../../../parts/button/button.js";
import { Notice, Refusal as Waiting } from "../../../parts/status/notice.js";
import { enRecord } from "../../../text/en/record.js";
import { focusField, inputId } from "./fields.js";
import { OpenTaken } from "./open-taken.js";
import type { Refusal } from "./refusal.js";
import { takenValuesOf } from "./taken-values.js";

const text = enRecord;

export interface SummaryProps {
  readonly form: string;
  readonly resource: Resource;
  readonly fields: readonly Field[];
  readonly state: FormState;
  /** The stored record; null for a new one. */
  readonly record: Row | null;
  readonly refusal: Refusal;
  /** The number of failed attempts to save; the summary gets the focus when it increases. */
  readonly tries: number;
  /** Whether a tab covers the form; the focus then waits until the form is visible. */
  readonly isCovered?: boolean;
  readonly onRetry: () => void;
}

/** Explains above the form why it was not saved, with links to the fields. */
export function Summary(props: SummaryProps) {
  const {
    form,
    resource,
    fields,
    state,
    record,
    refusal,
    tries,
    isCovered = false,
    onRetry,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const focused = useRef(0);
  useEffect(() => {
    if (isCovered || tries === focused.current) return;
    focused.current = tries;
    if (tries === 0) return;
    box.current?.focus();
    box.current?.scrollIntoView({ block: "nearest" });
  }, [tries, isCovered]);
  const wrong = fields.filter((field) => shownProblem(state, field) !== undefined);
  const messages = refusal.kind === "refused" ? refusal.messages : [];
  const isShown = tries > 0 && (wrong.length > 0 || refusal.kind !== "none");
  return (
    <div ref={box} role="alert" tabIndex={-1} className="summary">
      {!isShown ? null : refusal.kind === "wait" ? (
        <Waiting refused={{ general: null, until: refusal.until }} />
      ) : refusal.kind === "unsent" ? (
        <Notice look="bad">
          <div className="row wrap spread">
            <div>
              <p className="strong">{text.notSaved}</p>
              <p className="small">
                {refusal.message === "" ? text.unreachable : refusal.message} {text.stillHere}
              </p>
            </div>
            <Button onPress={onRetry}>{text.tryAgain}</Button>
          </div>
        </Notice>
      ) : (
        <Notice look="bad">
          <p className="strong">
            {wrong.length === 0 ? text.notSaved : text.needYou(wrong.length)}
          </p>
          {messages.map((message) => (
            <p key={message} className="small">
              <bdi>{message}</bdi>
            </p>
          ))}
          <p className="small">
            {wrong.map((field, at) => (
              <span key={field.name}>
                {at === 0 ? "" : ", "}
                <a
                  href={`#${inputId(form, field.name)}`}
                  onClick={(event) => {
                    event.preventDefault();
                    focusField(form, field);
                  }}
                >
                  <bdi>{labelOf(field)}</bdi>
                </a>
              </span>
            ))}
            {wrong.length === 0 ? "" : ". "}
            {text.stillHere}
          </p>
          {takenValuesOf(resource, { fields, record }, state).map((double) => (
            <OpenTaken
              key={Object.keys(double.values).join()}
              resource={resource}
              double={double}
            />
          ))}
        </Notice>
      )}
    </div>
  );
}
