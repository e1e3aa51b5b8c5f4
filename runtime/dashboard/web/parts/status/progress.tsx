import "./progress.css";

export function Progress({
  label,
  value,
  total,
  words,
}: {
  readonly label: string;
  readonly value: number;
  readonly total: number;
  readonly words: string;
}) {
  return (
    <div className="stack near">
      <div className="row spread small">
        <span>{label}</span>
        <span className="num muted">{words}</span>
      </div>
      <progress className="progress" aria-label={label} value={value} max={Math.max(1, total)}>
        {words}
      </progress>
    </div>
  );
}
