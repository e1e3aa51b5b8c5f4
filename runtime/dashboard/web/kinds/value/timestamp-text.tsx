import { date, exactTime, relative, time } from "../../text/dates.js";

const hasHints = typeof matchMedia === "undefined" || matchMedia("(hover: hover)").matches;

/** A time as users say it: how long ago, or its day. Devices that cannot show the tooltip show the time of day too. */
export function TimestampText({ iso }: { readonly iso: string }) {
  const text = relative(iso);
  return (
    <time dateTime={iso} title={exactTime(iso)}>
      {!hasHints && text === date(iso) ? time(iso) : text}
    </time>
  );
}
