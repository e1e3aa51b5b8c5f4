import { type ReactNode, useState } from "react";
import { en } from "../../text/en/en.js";
import { enList } from "../../text/en/list.js";
import { readerNumbers } from "../../text/figures.js";
import { count } from "../../text/format.js";
import { Button } from "../button/button.js";
import "./table.css";

const text = enList;

export interface PagerProps {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  /** Whether there are more than the total. */
  readonly isPart?: boolean;
  readonly onPage: (page: number) => void;
  /** The choice of page sizes, hidden on phones. */
  readonly sizes?: ReactNode;
}

/** The paging controls, below the rows rather than over them. */
export function Pager(props: PagerProps) {
  const { page, perPage, total, isPart = false, onPage, sizes } = props;
  const from = total === 0 ? 0 : (page - 1) * perPage + 1;
  const to = Math.min(page * perPage, total);
  const last = Math.max(1, Math.ceil(total / perPage));
  const barred = { barred: en.frame.atTheEnd };
  return (
    <div className="dock">
      <span className="num range" role="status">
        {from > total
          ? text.noneOf(count(total))
          : (isPart ? text.rangeOfMore : text.range)(count(from), count(to), count(total))}
      </span>
      <span className="grow" />
      {sizes === undefined ? null : <span className="per-page">{sizes}</span>}
      <span className={`row near pages ${last === 1 ? "only-one" : ""}`}>
        <Button
          look="quiet"
          icon="first"
          label={text.first}
          onPress={() => onPage(1)}
          {...(page <= 1 && barred)}
        />
        <Button
          look="quiet"
          icon="left"
          label={text.previous}
          onPress={() => onPage(Math.min(page - 1, last))}
          {...(page <= 1 && barred)}
        />
        {last === 1 ? null : (
          <PageNumber key={page} page={Math.min(page, last)} last={last} onPage={onPage} />
        )}
        <Button
          look="quiet"
          icon="right"
          label={text.next}
          onPress={() => onPage(page + 1)}
          {...(to >= total && barred)}
        />
        <Button
          look="quiet"
          icon="last"
          label={text.last}
          onPress={() => onPage(last)}
          {...(page === last && barred)}
        />
      </span>
    </div>
  );
}

/** The page number, which can be typed; one beyond the end opens the last page. */
function PageNumber({
  page,
  last,
  onPage,
}: {
  readonly page: number;
  readonly last: number;
  readonly onPage: (page: number) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const read = readerNumbers.read(typed ?? "");
    setTyped(null);
    if (read.kind !== "number") return;
    const wanted = Math.min(Math.max(1, Math.trunc(read.value)), last);
    if (wanted !== page) onPage(wanted);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <label className="row near num">
        <span className="only-wide">{text.page}</span>
        <input
          className="input page-number"
          aria-label={text.page}
          inputMode="numeric"
          autoComplete="off"
          value={typed ?? count(page)}
          size={Math.max(2, count(last).length)}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={() => setTyped(null)}
        />
        <span className="muted">{text.ofPages(count(last))}</span>
      </label>
    </form>
  );
}
