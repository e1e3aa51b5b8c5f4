import type { ReactNode } from "react";
import { enRecord } from "../../text/en/record.js";
import { percent, size } from "../../text/format.js";
import { Button } from "../button/button.js";
import { Icon } from "../button/icon.js";
import type { LabelledProps } from "../form/labelled.js";
import type { Picture } from "./picture-view.js";

export type DropState =
  | { readonly kind: "empty" }
  | {
      readonly kind: "there";
      readonly name: string;
      readonly size: number | null;
      /** The address at which the file can be opened. */
      readonly href: string;
      readonly preview: string | null;
      /** All pictures of the record, and the index of this one; null if it is not a picture. */
      readonly pictures: { readonly all: readonly Picture[]; readonly at: number } | null;
    }
  | {
      readonly kind: "sending";
      readonly name: string;
      readonly size: number;
      readonly share: number;
      readonly isWaiting: boolean;
      readonly preview: string | null;
    }
  | {
      readonly kind: "refused";
      readonly name: string;
      readonly message: string;
      readonly preview: string | null;
      /** Whether the upload of the same file can be retried. */
      readonly canRetry: boolean;
    };

export interface DropProps extends LabelledProps {
  readonly state: DropState;
  /** The `accept` attribute of the browser's dialog. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
  readonly onCancel: () => void;
  readonly onRetry: () => void;
  readonly onRemove: () => void;
}

const text = enRecord;

/** The content of a drop target in its current state, with buttons. */
export function Inside(props: DropProps & { readonly choose: () => void }): ReactNode {
  const { state, choose, label } = props;
  switch (state.kind) {
    case "empty":
      return (
        <p className="row wrap">
          <Chooser {...props}>{text.chooseFile}</Chooser>
          <span className="small muted">{text.orDrop}</span>
        </p>
      );
    case "there":
      return (
        <>
          <p className="row">
            <a className="cut" href={state.href} target="_blank" rel="noreferrer">
              <bdi>{state.name}</bdi>
            </a>
            {state.size === null ? null : (
              <span className="small muted num">{size(state.size)}</span>
            )}
          </p>
          <p className="row wrap">
            <Chooser {...props}>{text.replace}</Chooser>
            {props.isOptional === true ? (
              <Button
                look="quiet"
                size="small"
                label={`${text.remove}: ${label}`}
                onPress={props.onRemove}
              >
                {text.remove}
              </Button>
            ) : null}
          </p>
        </>
      );
    case "sending":
      return (
        <>
          <p className="row spread">
            <bdi className="cut">{state.name}</bdi>
            <span className="small muted num">{percent(state.share)}</span>
          </p>
          <progress
            className="progress"
            max={1}
            value={state.share}
            aria-label={text.uploading(state.name)}
          />
          <p className="row wrap spread">
            <span className="small muted num">
              {state.isWaiting
                ? text.waiting
                : text.sent(size(state.size * state.share), size(state.size))}
            </span>
            <Button id={props.id} size="small" onPress={props.onCancel}>
              {text.cancelUpload}
            </Button>
          </p>
        </>
      );
    case "refused":
      return (
        <>
          <p>
            <bdi className="cut">{state.name}</bdi>
          </p>
          <p className="error" role="alert">
            <Icon name="alert" />
            <span>{state.message}</span>
          </p>
          <p className="row wrap">
            {state.canRetry ? (
              <Button id={props.id} size="small" onPress={props.onRetry}>
                {text.tryUpload}
              </Button>
            ) : null}
            <Button
              {...(state.canRetry ? {} : { id: props.id })}
              size="small"
              look="quiet"
              onPress={choose}
            >
              {text.another}
            </Button>
            <Button size="small" look="quiet" onPress={props.onCancel}>
              {text.cancelUpload}
            </Button>
          </p>
        </>
      );
    default:
      return state satisfies never;
  }
}

function Chooser({
  id,
  label,
  choose,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly choose: () => void;
  readonly children: string;
}) {
  return (
    <button
      className="button small"
      type="button"
      id={id}
      aria-label={`${children}: ${label}`}
      onClick={choose}
    >
      {children}
    </button>
  );
}
