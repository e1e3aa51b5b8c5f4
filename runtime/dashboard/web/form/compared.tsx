import { enConflict } from "../text/en/conflict.js";
import { difference } from "./text-diff.js";
import "./compared.css";

/** A text in which the parts removed and added since an earlier version are marked. */
export function Compared({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <bdi className="prose">
      {difference(before, after).map(({ kind: became, text: words }, at) => {
        const key = `${at}${became}`;
        if (became === "same") return <span key={key}>{words}</span>;
        return became === "gone" ? (
          <del key={key}>
            <span className="hidden">{enConflict.removed} </span>
            {words}
          </del>
        ) : (
          <ins key={key}>
            <span className="hidden">{enConflict.added} </span>
            {words}
          </ins>
        );
      })}
    </bdi>
  );
}
