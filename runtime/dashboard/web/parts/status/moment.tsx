import { date, exactTime, relative, time } from "../../text/dates.js";

const hasHints = typeof matchMedia === "undefined" || matchMedia("(hover: hover)").matches;

/** A time as people say it: how long ago, or its day. Where no pointer can show a hint, the time of day as well. */
export function Moment({ iso }: { readonly iso: string }) {
  const told = relative(iso);
  return (
    <time dateTime={iso} title={exactTime(iso)}>
      {!hasHints && told === date(iso) ? time(iso) : told}
    </time>
  );
}
