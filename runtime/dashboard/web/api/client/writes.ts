import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { en } from "../../text/en/en.js";
import { nothingRefused, type Refused, refusedOf } from "./errors.js";

export interface WriteOptions<Input, Output> {
  /** `key` is the idempotency key of this body. */
  readonly run: (input: Input, key: string) => Promise<Output>;
  readonly onDone?: (output: Output, input: Input) => unknown;
  readonly onRefused?: (error: unknown, input: Input) => unknown;
  /** The names of the form's fields, and the field of each error code. */
  readonly fields?: readonly string[];
  readonly places?: Readonly<Record<string, string>>;
  /** Returns messages for missing values by field name; checked before anything is sent. */
  readonly required?: (input: Input) => Readonly<Record<string, string>>;
  /** The message shown at an empty required field. */
  readonly requiredText?: string;
  /** A request sent before a reload, so that repeating it does not write twice. */
  readonly attempt?: Attempt | null;
  readonly onAttempt?: (attempt: Attempt | null) => void;
}

/** A body that was sent, and its idempotency key. */
export interface Attempt {
  readonly body: string;
  readonly key: string;
}

export interface Write<Input> {
  send(input: Input): void;
  readonly isBusy: boolean;
  readonly refused: Refused;
  readonly error: unknown;
  /** The failure of the last attempt: a new object each time; null if it did not fail. */
  readonly refusal: object | null;
  /** Must be called when a field has changed; removes its error. */
  forget(field: string): void;
  clear(): void;
}

/**
 * A form's write, with one request at a time. The error of a field is shown until the field changes, and other errors
 * until the next attempt. A body keeps its idempotency key until it is written; another body gets another key.
 */
export function useWrite<Input, Output>(options: WriteOptions<Input, Output>): Write<Input> {
  const { run, onDone, onRefused, fields = [], places = {}, required, onAttempt } = options;
  const { requiredText = en.common.required } = options;
  const [missing, setMissing] = useState<readonly string[] | null>(null);
  const [changed, setChanged] = useState<readonly string[]>([]);
  const attempt = useRef(options.attempt ?? null);
  const keep = (next: Attempt | null) => {
    if (next === attempt.current) return;
    attempt.current = next;
    onAttempt?.(next);
  };
  const mutation = useMutation({
    mutationFn: (input: Input) => {
      const next = nextAttempt(attempt.current, JSON.stringify(input) ?? "");
      keep(next);
      return run(input, next.key);
    },
    onSuccess: (output, input) => {
      keep(null);
      return onDone?.(output, input);
    },
    onError: (error, input) => onRefused?.(error, input),
  });
  const refused =
    missing === null
      ? refusedOf(mutation.error, fields, places)
      : { ...nothingRefused, fields: sameAt(missing, requiredText) };
  return {
    send: (input) => {
      if (mutation.isPending) return;
      const empty = emptyIn(required?.(input) ?? {});
      setChanged([]);
      setMissing(empty.length === 0 ? null : empty);
      if (empty.length === 0) mutation.mutate(input);
      else mutation.reset();
    },
    isBusy: mutation.isPending,
    error: mutation.error,
    refused: { ...refused, fields: without(refused.fields, changed) },
    refusal: missing ?? mutation.error,
    forget: (field) => {
      if (Object.hasOwn(refused.fields, field)) setChanged((names) => [...names, field]);
    },
    clear: () => {
      setMissing(null);
      mutation.reset();
    },
  };
}

function emptyIn(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(values).filter((name) => values[name] === "");
}

function without(
  messages: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(messages).filter(([name]) => !names.includes(name)));
}

function sameAt(names: readonly string[], said: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, said]));
}

export function nextAttempt(former: Attempt | null, body: string): Attempt {
  return former?.body === body ? former : { body, key: newKey() };
}

/** Returns a random UUID without `crypto.randomUUID`, which requires https. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
