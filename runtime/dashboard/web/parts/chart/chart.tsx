import "./chart.css";
import { ticksOf } from "./ticks.js";

/** One value of a chart. */
export interface Bar {
  readonly key: string;
  /** The text below or next to the bar. */
  readonly label: string;
  /** The text in a table and a tooltip; the label by default. */
  readonly whole?: string;
  /** Null if there is no value, which differs from zero. */
  readonly value: number | null;
  /** Whether the period has not ended yet: the bar is paler. */
  readonly isOpen?: boolean;
  /** Whether the value is not comparable with the others: the bar is paler, and separate. */
  readonly isApart?: boolean;
}

/** Maximum number of labels that fit below a chart; a phone shows every second one. */
const mostLabels = 8;

// Bars are HTML elements: unlike a canvas, they work with screen readers, printers and forced colors.

/** Vertical bars over a common zero, with a one-sentence summary; a table has every number. */
export function Columns({
  bars,
  summary,
  axis,
  print,
}: {
  readonly bars: readonly Bar[];
  readonly summary: string;
  /** An axis label, as short as possible. */
  readonly axis: (value: number) => string;
  readonly print: (value: number) => string;
}) {
  const ticks = ticksOf(bars.map(({ value }) => value ?? 0));
  const [least = 0, greatest = 1] = [ticks[0], ticks.at(-1)];
  const heightOf = (value: number) => ((value - least) / (greatest - least)) * 100;
  const zero = heightOf(0);
  const step = Math.ceil(bars.length / mostLabels);
  return (
    <div className="chart" role="img" aria-label={summary}>
      <div className="lines" aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick} style={{ insetBlockEnd: `${heightOf(tick)}%` }}>
            <span className="tiny num">{axis(tick)}</span>
          </span>
        ))}
      </div>
      <svg viewBox={`0 0 ${bars.length} 100`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map((bar, at) => {
          const end = heightOf(bar.value ?? 0);
          return (
            <rect
              key={bar.key}
              className={bar.isOpen === true ? "open" : undefined}
              x={at + 0.12}
              width={0.76}
              y={100 - Math.max(end, zero)}
              height={Math.abs(end - zero)}
            >
              <title>{`${bar.whole ?? bar.label}: ${bar.value === null ? "–" : print(bar.value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="labels tiny muted" aria-hidden="true">
        {bars.map((bar, at) =>
          at % step === 0 ? (
            <span
              key={bar.key}
              className={(at / step) % 2 === 1 ? "minor" : undefined}
              style={{ insetInlineStart: `${((at + 0.5) / bars.length) * 100}%` }}
            >
              {bar.label}
            </span>
          ) : null,
        )}
      </div>
    </div>
  );
}

/** A list of horizontal bars, each with a name and a number. */
export function Rows({
  bars,
  print,
  none,
}: {
  readonly bars: readonly Bar[];
  readonly print: (value: number) => string;
  /** The text for a missing value. */
  readonly none: string;
}) {
  const values = bars.map(({ value }) => value ?? 0);
  const [least, greatest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const width = greatest - least || 1;
  return (
    <ul className="bars small">
      {bars.map(({ key, label, value, isApart }) => (
        <li key={key} className={isApart === true ? "apart" : undefined}>
          <bdi className="cut">{label}</bdi>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect
              x={((Math.min(0, value ?? 0) - least) / width) * 100}
              width={(Math.abs(value ?? 0) / width) * 100}
              height={8}
            />
          </svg>
          <span className="end num">{value === null ? none : print(value)}</span>
        </li>
      ))}
    </ul>
  );
}

/** A row of bars without text, next to a number that explains them. */
export function Spark({ bars }: { readonly bars: readonly Bar[] }) {
  const most = Math.max(0, ...bars.map(({ value }) => value ?? 0));
  return (
    <svg
      className="spark"
      viewBox={`0 0 ${Math.max(1, bars.length)} 32`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {most === 0 ? (
        <rect className="none" y={31} width={Math.max(1, bars.length)} height={1} />
      ) : null}
      {most === 0
        ? null
        : bars.map(({ key, value, isOpen }, at) => {
            const height = ((value ?? 0) / most) * 30;
            return (
              <rect
                key={key}
                className={isOpen === true ? "open" : undefined}
                x={at + 0.14}
                width={0.72}
                y={32 - height}
                height={height}
              />
            );
          })}
    </svg>
  );
}
