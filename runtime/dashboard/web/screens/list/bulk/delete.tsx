import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../../../api/account/session.js";
import type { Resource } from "../../../api/client/types.js";
import { DependantList } from "../../../form/dependants.js";
import { Button } from "../../../parts/button/button.js";
import { Field } from "../../../parts/form/field.js";
import { enBulk } from "../../../text/en/bulk.js";
import { en } from "../../../text/en/en.js";
import { count } from "../../../text/format.js";
import type { Selection } from "../rows/selection.js";
import { dependantsOfQuery, mostCounted } from "./dependants.js";

const text = enBulk;

/** Above this number of records, the user must type it. */
const typedFrom = 20;

/** Shows which other records are deleted with the selected ones, before the final confirmation. */
export function DeleteForm({
  resource,
  selection,
  total,
  button,
  onCancel,
  onDelete,
}: {
  readonly resource: Resource;
  readonly selection: Selection;
  readonly total: number;
  readonly button: string;
  readonly onCancel: () => void;
  readonly onDelete: () => void;
}) {
  const { user, resources } = useSession();
  const counted = useQuery(dependantsOfQuery({ account: user.id, resources, resource }, selection));
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (total > typedFrom && typed.trim() !== String(total)) setWrong(true);
        else onDelete();
      }}
    >
      <p>{resource.trash === undefined ? text.deleteText : text.deleteKept}</p>
      <div className="stack near" role="status">
        {counted.isPending ? <p className="muted">{text.countingDependants}</p> : null}
        {counted.isError ? <p className="muted">{text.dependantsUnknown}</p> : null}
        <DependantList dependants={counted.data?.found ?? []} id={null} />
        {counted.data?.isPart === true ? (
          <p className="muted">{text.dependantsOfFirst(count(mostCounted))}</p>
        ) : null}
      </div>
      {total > typedFrom ? (
        <Field
          label={text.typeNumber(String(total))}
          name="number"
          inputMode="numeric"
          value={typed}
          error={isWrong ? text.wrongNumber : undefined}
          onChange={(next) => {
            setWrong(false);
            setTyped(next);
          }}
        />
      ) : null}
      <div className="actions">
        <Button onPress={onCancel}>{en.common.cancel}</Button>
        <Button look="danger" type="submit">
          {button}
        </Button>
      </div>
    </form>
  );
}
