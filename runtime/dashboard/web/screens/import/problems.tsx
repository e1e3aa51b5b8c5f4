import { useId } from "react";
import { spreadsheetLine } from "../../../../values/files/csv-line.js";
import { spreadsheetMark } from "../../../../values/files/spreadsheet.js";
import { saveFile } from "../../browser/files/save-file.js";
import { Button } from "../../parts/button/button.js";
import { enImport } from "../../text/en/import.js";
import { count } from "../../text/format.js";
import type { Problem } from "./check.js";
import "../../parts/page/table.css";

const text = enImport;
/** Maximum number of problems displayed; the saved file has all of them. */
const mostShown = 100;

/** The rows with problems: line, column and message. All of them can be saved as a file. */
export function Problems({
  title,
  problems,
  file,
}: {
  readonly title: string;
  readonly problems: readonly Problem[];
  readonly file: string;
}) {
  const id = useId();
  if (problems.length === 0) return null;
  const save = () => {
    const head = [text.line, text.column, text.cell, text.problem];
    const rows = problems.map(({ line, column, cell, message }) => [
      String(line),
      column,
      cell,
      message,
    ]);
    saveFile(file, [spreadsheetMark, ...[head, ...rows].map(spreadsheetLine)], "text/csv");
  };
  return (
    <div className="stack near">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="table-box card problems" aria-labelledby={id} tabIndex={0}>
        <table className="table">
          <caption className="hidden" id={id}>
            {title}
          </caption>
          <thead>
            <tr>
              <th scope="col" className="end">
                {text.line}
              </th>
              <th scope="col">{text.column}</th>
              <th scope="col">{text.cell}</th>
              <th scope="col">{text.problem}</th>
            </tr>
          </thead>
          <tbody>
            {problems.slice(0, mostShown).map(({ line, column, cell, message }) => (
              <tr key={`${line} ${column}`}>
                <td className="end">{line}</td>
                <td>
                  <bdi>{column}</bdi>
                </td>
                <td className="cut">
                  <bdi>{cell}</bdi>
                </td>
                <td className="what">{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className="row wrap">
        <Button size="small" icon="save" onPress={save}>
          {text.save}
        </Button>
        {problems.length > mostShown ? (
          <span className="small muted">
            {text.shown(count(mostShown), count(problems.length))}
          </span>
        ) : null}
      </div>
    </div>
  );
}
