import { type ReactNode, useLayoutEffect, useRef } from "react";

export interface FormProps {
  readonly children: ReactNode;
  readonly className?: string;
  /** Why the form was not accepted: another object each time, null where nothing is wrong. */
  readonly refusal: object | null;
  readonly onSubmit: () => void;
}

/**
 * A form that leads to what was refused: its first field with an error gets the focus. A refusal of no field is
 * scrolled to, and announced, while the focus stays where it is.
 */
export function Form({ children, className = "stack", refusal, onSubmit }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
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
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
