import { type ReactNode, useId } from "react";

export interface CardProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

export function Card({ title, text, action, children }: CardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <div className="head">
        <div className="grow">
          <h2 id={id}>{title}</h2>
          {text === undefined ? null : <p className="small muted">{text}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
