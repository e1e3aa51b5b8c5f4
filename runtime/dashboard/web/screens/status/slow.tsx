import type { SlowStatement } from "../../api/server/status.js";
import "../../parts/page/panel.css";
import "../../parts/page/table.css";
import { TimestampText } from "../../kinds/value/timestamp-text.js";
import { enStatus } from "../../text/en/operators/status.js";
import { count } from "../../text/format.js";
import { milliseconds } from "./figures.js";

const text = enStatus;

/** The slowest statements, each of which can be expanded. */
export function Slow({ statements }: { readonly statements: readonly SlowStatement[] }) {
  return (
    <section className="card panel wide" aria-labelledby="slow">
      <div className="head">
        <div className="grow">
          <h2 id="slow">{text.slow}</h2>
          <p className="small muted">{text.slowNote}</p>
        </div>
      </div>
      <div className="body">
        {statements.length === 0 ? (
          <p className="muted">{text.noneSlow}</p>
        ) : (
          <table className="table statements">
            <caption className="hidden">{text.slow}</caption>
            <thead>
              <tr>
                <th scope="col">{text.statement}</th>
                <th scope="col" className="end">
                  {text.slowest}
                </th>
                <th scope="col" className="end wide-only">
                  {text.times}
                </th>
                <th scope="col" className="wide-only">
                  {text.last}
                </th>
              </tr>
            </thead>
            <tbody>
              {statements.map((one) => (
                <tr key={one.statement}>
                  <th scope="row">
                    <details>
                      <summary>
                        <code>{one.statement}</code>
                      </summary>
                      <pre className="small">{one.statement}</pre>
                    </details>
                  </th>
                  <td className="end">{milliseconds(one.milliseconds)}</td>
                  <td className="end wide-only">{count(one.count)}</td>
                  <td className="wide-only">
                    <TimestampText iso={one.lastAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}
