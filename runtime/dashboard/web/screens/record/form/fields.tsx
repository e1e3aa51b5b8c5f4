import type { Field, Resource, Row } from "../../../api/client/types.js";
import { fileOf, filesOf } from "../../../api/records/descriptors.js";
import type { Around } from "../../../api/records/records.js";
import { layoutOf } from "../../../form/layout.js";
import { type FormAction, type FormState, shownProblem } from "../../../form/state.js";
import type { InputProps } from "../../../kinds/input/input.js";
import { controlOf } from "../../../kinds/input/inputs.js";
import { kindOf } from "../../../kinds/kinds.js";
import { pictureOf } from "../../../kinds/value/pictures.js";
import type { Picture } from "../../../parts/file/picture-view.js";
import { PublicFieldMark } from "../../../rules/public-mark.js";
import { enRecord } from "../../../text/en/record.js";

export interface FieldsProps {
  /** The form's id, a prefix of the ids of its inputs. */
  readonly id: string;
  readonly resource: Resource;
  readonly fields: readonly Field[];
  readonly state: FormState;
  readonly record: Row | null;
  readonly links: Around["links"];
  readonly onAct: (action: FormAction) => void;
  readonly onBusy: (name: string, state: { readonly isBusy: boolean }) => void;
  readonly onCreate: InputProps["onCreate"];
}

export function inputId(form: string, name: string): string {
  return `${form}-${name}`;
}

/** The inputs of a form, in the order and width that its descriptor or their kinds define. */
export function Fields(props: FieldsProps) {
  const { id, resource, fields } = props;
  const groups = layoutOf(resource, fields);
  return (
    <>
      {groups.map(({ name, places }) => {
        const inputs = places.map(({ field, span }) => (
          <div key={field.name} className={`c${span} marked`}>
            <OneField {...props} field={field} />
            <PublicFieldMark resource={props.resource} field={field} />
          </div>
        ));
        return name === "all" ? (
          <div key={name} className="form-grid">
            {inputs}
          </div>
        ) : (
          <section key={name} className={`stack of-${name}`} aria-labelledby={`${id}-${name}`}>
            <h2 id={`${id}-${name}`}>{enRecord[name]}</h2>
            <div className="form-grid">{inputs}</div>
          </section>
        );
      })}
    </>
  );
}

function OneField(props: FieldsProps & { readonly field: Field }) {
  const { id, resource, field, state, record, links, onAct, onBusy, onCreate } = props;
  const Input = controlOf(field).input;
  const { name } = field;
  return (
    <Input
      field={field}
      resource={resource}
      id={inputId(id, name)}
      value={state.mine[name] ?? ""}
      error={shownProblem(state, field)}
      onChange={(value) => onAct({ kind: "typed", field: name, value })}
      onLeave={() => onAct({ kind: "left", field: name })}
      related={links[name] ?? null}
      isChanged={record === null || state.mine[name] !== state.before[name]}
      file={record === null ? null : fileOf(field, record)}
      files={record === null ? [] : filesOf(field, record)}
      pictures={record === null ? [] : picturesOf(resource, record)}
      alt={field.alt === undefined ? "" : (state.mine[field.alt] ?? "")}
      onBusy={(isBusy) => onBusy(name, { isBusy })}
      onCreate={onCreate}
    />
  );
}

function picturesOf({ fields }: Resource, record: Row): readonly Picture[] {
  return fields.flatMap((field) => {
    const picture = kindOf(field).isPicture ? pictureOf(field, record) : null;
    return picture === null ? [] : [picture];
  });
}

export function focusField(form: string, { name }: Field): void {
  const input = document.getElementById(inputId(form, name));
  input?.focus();
  input?.scrollIntoView({ block: "center" });
}
