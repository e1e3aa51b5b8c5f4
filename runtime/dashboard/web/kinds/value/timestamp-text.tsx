import { date, exactTime, relative, time } from "../../text/dates.js";

const hasHints = typeof matchMedia === "undefined" || matchMedia("(hover: hover)").matches;

/** A time as people say it: how long ago, or its day. Where no pointer can show a hint, the time of day as well. */
export function TimestampText({ iso }: { readonly iso: string }) {
  const text = relative(iso);
  return (
    <time dateTime={iso} title={exactTime(iso)}>
      {!hasHints && text === date(iso) ? time(iso) : text}
    </time>
  );
}
