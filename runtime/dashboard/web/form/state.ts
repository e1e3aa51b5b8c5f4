import type { Field } from "../api/client/types.js";
import { kindOf } from "../kinds/kinds.js";

/** The text of the inputs by field, as typed. */
export type Typed = Readonly<Record<string, string>>;

export interface FormState {
  readonly before: Typed;
  readonly mine: Typed;
  /** Fields that have lost the focus at least once, and are validated while typing from then on. */
  readonly touched: readonly string[];
  /** The API's messages by field, shown until that field changes. */
  readonly refused: Readonly<Record<string, string>>;
  /** Fields whose values were refused as a combination: changing one clears the messages of all. */
  readonly together: readonly (readonly string[])[];
}

export type FormAction =
  | { readonly kind: "typed"; readonly field: string; readonly value: string }
  | { readonly kind: "left"; readonly field: string }
  /** The user requests to save, so everything is validated. */
  | { readonly kind: "checked"; readonly fields: readonly string[] }
  | {
      readonly kind: "refused";
      readonly fields: Readonly<Record<string, string>>;
      readonly together: readonly (readonly string[])[];
    }
  /** The record was saved; changes made after it was sent are kept. */
  | { readonly kind: "saved"; readonly record: Typed; readonly sent: Typed }
  | { readonly kind: "restored"; readonly before: Typed; readonly mine: Typed }
  | { readonly kind: "discarded" };

export function openForm(before: Typed, mine: Typed = before): FormState {
  return { before, mine, touched: [], refused: {}, together: [] };
}

export function formReducer(state: FormState, action: FormAction): FormState {
  switch (action.kind) {
    case "typed": {
      // Leaving a number formats it again, which must not clear the API's message.
      if (state.mine[action.field] === action.value) return state;
      const mine = { ...state.mine, [action.field]: action.value };
      return { ...state, mine, ...withoutRefusal(state, action.field) };
    }
    case "left":
      return touch(state, [action.field]);
    case "checked":
      return touch(state, action.fields);
    case "refused":
      return touch(
        { ...state, refused: action.fields, together: action.together },
        Object.keys(action.fields),
      );
    case "saved": {
      const { record, sent } = action;
      const later = Object.entries(state.mine).filter(([name, value]) => value !== sent[name]);
      return openForm(record, { ...record, ...Object.fromEntries(later) });
    }
    case "restored":
      return openForm(action.before, action.mine);
    case "discarded":
      return openForm(state.before);
    default:
      return never(action);
  }
}

function withoutRefusal(
  { refused, together }: FormState,
  field: string,
): Pick<FormState, "refused" | "together"> {
  const answered = together.filter((names) => names.includes(field));
  const names = [field, ...answered.flat()];
  return {
    refused: Object.fromEntries(Object.entries(refused).filter(([name]) => !names.includes(name))),
    together: together.filter((one) => !answered.includes(one)),
  };
}

function touch(state: FormState, names: readonly string[]): FormState {
  const isNew = names.some((name) => !state.touched.includes(name));
  return isNew ? { ...state, touched: [...new Set([...state.touched, ...names])] } : state;
}

function never(action: never): never {
  throw new Error(`unknown action ${JSON.stringify(action)}`);
}

/** Returns a record's values as typed text. */
export function typedOf(
  fields: readonly Field[],
  record: Readonly<Record<string, unknown>>,
): Typed {
  return Object.fromEntries(
    fields.map((field) => [field.name, kindOf(field).form.typed(record[field.name], field)]),
  );
}

/** Returns the initial values of a new record: the defaults of its descriptor. */
export function startOf(fields: readonly Field[]): Typed {
  return Object.fromEntries(
    fields.map((field) => {
      const { typed, initial } = kindOf(field).form;
      const usual = field.default ?? null;
      return [field.name, usual === null ? initial(field) : typed(usual, field)];
    }),
  );
}

export function isSame(field: Field, one: string | undefined, other: string | undefined): boolean {
  return kindOf(field).form.compare(field, one ?? "", other ?? "");
}

export function changedFields(
  fields: readonly Field[],
  before: Typed,
  mine: Typed,
): readonly Field[] {
  return fields.filter((field) => !isSame(field, before[field.name], mine[field.name]));
}

/** Returns the message for a value that breaks the API's rules; undefined if it is valid. */
export function problemOf(field: Field, typed: string | undefined): string | undefined {
  const parsed = kindOf(field).form.parse(field, typed ?? "");
  return parsed.kind === "value" ? undefined : parsed.message;
}

/** Returns the message at a field: the API's, or a problem of the current value. */
export function shownProblem(state: FormState, field: Field): string | undefined {
  const refused = state.refused[field.name];
  if (refused !== undefined) return refused;
  return state.touched.includes(field.name) ? problemOf(field, state.mine[field.name]) : undefined;
}

/** Returns the fields that the API would certainly refuse; only the API decides whether a pattern matches. */
export function hopelessFields(fields: readonly Field[], mine: Typed): readonly Field[] {
  return fields.filter((field) => {
    const parsed = kindOf(field).form.parse(field, mine[field.name] ?? "");
    return parsed.kind === "problem" && parsed.isSure;
  });
}

/** Returns the body of a write: the current values of these fields. */
export function bodyOf(fields: readonly Field[], mine: Typed): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.map((field) => {
      const typed = mine[field.name] ?? "";
      const parsed = kindOf(field).form.parse(field, typed);
      return [field.name, parsed.kind === "value" ? parsed.value : typed];
    }),
  );
}

/** Returns the body of a new record, without empty fields that have no default. */
export function newBodyOf(
  fields: readonly Field[],
  mine: Typed,
): Readonly<Record<string, unknown>> {
  const sent = fields.filter(
    ({ name, default: usual }) =>
      (mine[name] ?? "") !== "" || (usual !== undefined && usual !== null),
  );
  return bodyOf(sent, mine);
}
