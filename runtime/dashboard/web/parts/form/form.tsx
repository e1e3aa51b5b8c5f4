import { type ReactNode, useLayoutEffect, useRef } from "react";

/** What a form sends, as far as the form has to know it. */
export interface Sent {
  /** Why it was not accepted: another object each time, null where nothing is wrong. */
  readonly refusal: object | null;
  /** A field of that name was changed. */
  forget(field: string): void;
}

export interface FormProps {
  readonly children: ReactNode;
  readonly className?: string;
  /** The ways in which the form can be sent; mostly one. */
  readonly writes: readonly Sent[];
  readonly onSubmit: () => void;
}

/**
 * A form that shows what was refused: its first field with an error gets the focus. A refusal of no field is
 * scrolled to, and announced, while the focus stays where it is. The error of a field goes when the field changes.
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
      // The browser's own messages have other words.
      noValidate
      // Before the field itself handles it: the last digit of a code sends the form again.
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
