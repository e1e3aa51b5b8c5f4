import { labelOf } from "../../api/records/descriptors.js";
import { Compared } from "../../form/compared.js";
import type { Choices, MergeField, Side } from "../../form/merge.js";
import { controlOf } from "../../kinds/input/inputs.js";
import { kindOf } from "../../kinds/kinds.js";
import { enConflict } from "../../text/en/conflict.js";
import "../../form/merging/sides.css";

const text = enConflict;

export interface BothProps {
  readonly fields: readonly MergeField[];
  readonly choices: Choices;
  /** Who saved the other version; null if unknown. */
  readonly by: string | null;
  /** When the other version was saved. */
  readonly saved: string;
  readonly onChoose: (name: string, side: Side) => void;
}

/** The fields that both changed, each with a choice to make. */
export function Both({ fields, choices, by, saved, onChoose }: BothProps) {
  const names = { theirs: by ?? text.theirs, mine: text.mine };
  return (
    <section className="stack near" aria-labelledby="both-sides">
      <h2 id="both-sides">
        {text.both} <span className="count">{fields.length}</span>
      </h2>
      <table className="merge">
        <thead>
          <tr>
            <th scope="col">{text.field}</th>
            <Head name={text.before} when={text.beforeWhen} />
            <Head name={names.theirs} when={text.theirsWhen(saved)} />
            <Head name={text.mine} when={text.mineWhen} />
          </tr>
        </thead>
        <tbody>
          {fields.map((one) => (
            <tr key={one.field.name}>
              <th scope="row">
                <bdi>{labelOf(one.field)}</bdi>
              </th>
              <td className="was">
                <SideName name={text.before} />
                <Value one={one} typed={one.before} />
              </td>
              {(["theirs", "mine"] as const).map((side) => (
                <td key={side} data-chosen={choices[one.field.name] === side || undefined}>
                  <SideName name={names[side]} />
                  <label className="pick">
                    <input
                      className="radio"
                      type="radio"
                      name={`merge-${one.field.name}`}
                      aria-label={`${labelOf(one.field)}: ${names[side]}`}
                      checked={choices[one.field.name] === side}
                      onChange={() => onChoose(one.field.name, side)}
                    />
                    <span className="grow">
                      <Value one={one} typed={one[side]} />
                    </span>
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Head({ name, when }: { readonly name: string; readonly when: string }) {
  return (
    <th scope="col">
      <bdi>{name}</bdi>
      <span className="when">{when}</span>
    </th>
  );
}

/** A label before a value, where the table's heading is not visible. */
function SideName({ name }: { readonly name: string }) {
  return <bdi className="side-name small strong">{name}</bdi>;
}

/** Maximum length of texts that are shown whole, because that is faster to read than a diff. */
const shortText = 80;

/** A version of a value. Longer texts are shown as a diff against the version that was opened. */
function Value({ one, typed }: { readonly one: MergeField; readonly typed: string }) {
  const { field, before } = one;
  const Shown = controlOf(field).shown;
  const isShort = before.length <= shortText && typed.length <= shortText;
  if (!kindOf(field).form.isProse || isShort || typed === before || typed === "" || before === "") {
    return <Shown field={field} typed={typed} />;
  }
  return <Compared before={before} after={typed} />;
}
