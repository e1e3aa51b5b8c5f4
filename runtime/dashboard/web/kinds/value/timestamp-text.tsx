import { date, exactTime, relative, time } from "../../text/dates.js";

const hasHints = typeof matchMedia === "undefined" || matchMedia("(hover: hover)").matches;

/** A relative time (how long ago) or a day. The time of day is added on devices that cannot show the tooltip. */
export function TimestampText({ iso }: { readonly iso: string }) {
  const text = relative(iso);
  return (
    <time dateTime={iso} title={exactTime(iso)}>
      {!hasHints && text === date(iso) ? time(iso) : text}
    </time>
  );
}
