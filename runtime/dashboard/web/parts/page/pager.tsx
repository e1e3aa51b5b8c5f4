import { en } from "../../text/en/en.js";
import { enList } from "../../text/en/list.js";
import { count } from "../../text/format.js";
import { Button } from "../button/button.js";
import { Choice } from "../form/choice.js";
import "./table.css";

const text = enList;

export interface PagerProps {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
  /** The page sizes to choose from. */
  readonly perPages?: readonly number[];
  readonly onPerPage?: (perPage: number) => void;
}

/** The paging controls below the rows; they cover none. */
export function Pager(props: PagerProps) {
  const { page, perPage, total, onPage, perPages, onPerPage } = props;
  const from = total === 0 ? 0 : (page - 1) * perPage + 1;
  const to = Math.min(page * perPage, total);
  const barred = (isEnd: boolean) => (isEnd ? { barred: en.frame.atTheEnd } : {});
  return (
    <div className="dock">
      <span className="num" role="status">
        {from > total
          ? text.noneOf(count(total))
          : text.range(count(from), count(to), count(total))}
      </span>
      <span className="grow" />
      {perPages === undefined || onPerPage === undefined ? null : (
        <Choice
          label={text.rows}
          isBeside
          value={String(perPage)}
          options={perPages.map((one) => ({ value: String(one), label: count(one) }))}
          onChange={(next) => onPerPage(Number(next))}
        />
      )}
      <Button
        look="quiet"
        icon="left"
        label={text.previous}
        onPress={() => onPage(page - 1)}
        {...barred(page <= 1)}
      />
      <Button
        look="quiet"
        icon="right"
        label={text.next}
        onPress={() => onPage(page + 1)}
        {...barred(to >= total)}
      />
    </div>
  );
}
