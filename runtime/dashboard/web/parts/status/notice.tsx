import { type ReactNode, useEffect, useState } from "react";
import { clock, now } from "../../text/dates.js";
import { en } from "../../text/en/en.js";
import { Icon, type IconName } from "../button/icon.js";
import "./notice.css";

export interface NoticeProps {
  readonly look?: "bad" | "good" | "warn";
  readonly children: ReactNode;
}

const icons: Readonly<Record<string, IconName>> = { bad: "alert", good: "check", warn: "alert" };

export function Notice({ look, children }: NoticeProps) {
  return (
    <div className={look === undefined ? "notice" : `notice ${look}`}>
      <Icon name={icons[look ?? ""] ?? "alert"} />
      <div className="grow">{children}</div>
    </div>
  );
}

/** A form's refusal that belongs to no field. Always rendered, so that screen readers announce its content. */
export function Refusal({
  refused,
}: {
  readonly refused: { readonly general: string | null; readonly until: number | null };
}) {
  return (
    <div role="alert" className="refusal">
      {refused.general === null ? null : (
        <Notice look="bad">
          <p>{refused.general}</p>
        </Notice>
      )}
      {refused.until === null ? null : <Wait until={refused.until} />}
    </div>
  );
}

/** A countdown. The number is hidden from screen readers, which would announce every second. */
function Wait({ until }: { readonly until: number }) {
  const [left, setLeft] = useState(() => until - now());
  useEffect(() => {
    const timer = setInterval(() => setLeft(until - now()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <Notice look="bad">
      <p>
        <span className="strong">{en.errors.tooMany}</span>{" "}
        <span className="num" aria-live="off">
          {left > 0 ? en.errors.again(clock(left / 1_000)) : en.errors.againNow}
        </span>
      </p>
    </Notice>
  );
}
