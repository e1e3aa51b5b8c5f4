import { useEffect, useRef } from "react";
import { labelOf } from "../../api/descriptors.js";
import type { Field } from "../../api/types.js";
import { Button } from "../../parts/button.js";
import { Notice, Refusal as Waiting } from "../../parts/notice.js";
import { enRecord } from "../../text/en-record.js";
import { focusField, inputId } from "./fields.js";
import type { Refusal } from "./refusal.js";

const text = enRecord;

export interface SummaryProps {
  readonly form: string;
  /** The fields that have a message beside them. */
  readonly wrong: readonly Field[];
  readonly refusal: Refusal;
  /** Counts failed attempts to save; the focus moves to the summary when it grows. */
  readonly tries: number;
  readonly onRetry: () => void;
}

/** A summary above the form of why it is not saved, with links to the fields. */
export function Summary({ form, wrong, refusal, tries, onRetry }: SummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (tries === 0) return;
    box.current?.focus();
    box.current?.scrollIntoView({ block: "nearest" });
  }, [tries]);
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
        </Notice>
      )}
    </div>
  );
}
