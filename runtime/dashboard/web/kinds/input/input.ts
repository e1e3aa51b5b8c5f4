import type { ComponentType } from "react";
import type { Field, FileDetails, Resource, Row } from "../../api/client/types.js";
import type { Picture } from "../../parts/file/picture-view.js";

/** A control for values of one kind or of several. */
export interface Input {
  readonly input: ComponentType<InputProps>;
  /** Displays the value next to other versions. */
  readonly shown: ComponentType<ShownProps>;
}

export interface ShownProps {
  readonly field: Field;
  readonly typed: string;
}

export interface InputProps {
  readonly field: Field;
  readonly resource: Resource;
  /** The input's id, unique among all forms on the page. */
  readonly id: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly onLeave: () => void;
  /** The linked record when the form was opened. */
  readonly related: Row | null;
  /** Whether the value differs from the record's. If so, `related` belongs to the record's value, not to this one. */
  readonly isChanged?: boolean;
  /** The file when the form was opened. */
  readonly file: FileDetails | null;
  /** The files of a list when the form was opened. */
  readonly files?: readonly FileDetails[];
  /** All pictures of the record when the form was opened, and this picture's current alternative text. */
  readonly pictures?: readonly Picture[];
  readonly alt?: string;
  /** Reports an upload under way; the form cannot be saved until it ends. */
  readonly onBusy: (isBusy: boolean) => void;
  /** Creates a related record in a dialog over the form; null if a dialog is already open over another form. */
  readonly onCreate: ((target: Resource, take: (made: Row) => void, term: string) => void) | null;
}
