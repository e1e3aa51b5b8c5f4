import { type ReactNode, useLayoutEffect, useRef } from "react";

/** The part of a write that its form needs. */
export interface Sent {
  /** Why the write was refused: a new object for each refusal; null if it was not refused. */
  readonly refusal: object | null;
  /** Clears the error of a field that was changed. */
  forget(field: string): void;
}

export interface FormProps {
  readonly children: ReactNode;
  readonly className?: string;
  /** The writes that the form can send; usually one. */
  readonly writes: readonly Sent[];
  readonly onSubmit: () => void;
}

/**
 * A form that displays refusals: the first field with an error gets the focus. A refusal without a field is scrolled to
 * and announced, and the focus stays. The error of a field disappears when the field changes.
 */
export function Form({ children, className = "stack", writes, onSubmit }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const refusal = writes.find((write) => write.refusal !== null)?.refusal ?? null;
  useLayoutEffect(() => {
    if (refusal === null) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field) field.focus();
    else form.current?.querySelector(".refusal")?.scrollIntoView({ block: "nearest" });
  }, [refusal]);
  return (
    <form
      ref={form}
      className={className}
      // The browser's messages are worded differently.
      noValidate
      // Runs before the handler of the field: the last digit of a code sends the form again.
      onChangeCapture={({ target }) => {
        if (target instanceof HTMLInputElement)
          for (const write of writes) write.forget(target.name);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
