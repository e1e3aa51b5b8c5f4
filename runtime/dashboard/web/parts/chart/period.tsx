import { useSearchParams } from "wouter";
import { enHome } from "../../text/en/home/home.js";
import { Choice } from "../form/choice.js";

/** The period in the address, if it is one of those available. */
export function usePeriod(
  periods: readonly number[],
  usual: number,
): readonly [number, (days: number) => void] {
  const [query, setQuery] = useSearchParams();
  const chosen = Number(query.get("days"));
  const choose = (days: number) =>
    setQuery((former) => {
      const next = new URLSearchParams(former);
      if (days === usual) next.delete("days");
      else next.set("days", String(days));
      return next;
    });
  return [periods.includes(chosen) ? chosen : usual, choose];
}

export function Period({
  periods,
  value,
  onChange,
}: {
  readonly periods: readonly number[];
  readonly value: number;
  readonly onChange: (days: number) => void;
}) {
  return (
    <Choice
      label={enHome.period}
      isLabelHidden
      value={String(value)}
      options={periods.map((days) => ({ value: String(days), label: enHome.days(days) }))}
      onChange={(days) => onChange(Number(days))}
    />
  );
}
