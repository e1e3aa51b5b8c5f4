import { useState } from "react";
import { openViewing } from "../../../api/account/view-window.js";
import { call } from "../../../api/client/client.js";
import type { Account } from "../../../api/client/types.js";
import type { Viewing } from "../../../api/client/viewing.js";
import { useWrite } from "../../../api/client/writes.js";
import { Button } from "../../../parts/button/button.js";
import { Field } from "../../../parts/form/field.js";
import { Form } from "../../../parts/form/form.js";
import { Notice, Refusal } from "../../../parts/status/notice.js";
import { en } from "../../../text/en/en.js";
import { enViewing } from "../../../text/en/operators/viewing.js";

const text = enViewing;

/** Asks for the reason, and opens a window that shows what the account sees. */
export function SeeAs({
  account,
  onOpened,
  onClose,
}: {
  readonly account: Account;
  readonly onOpened: () => void;
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState("");
  const [blocked, setBlocked] = useState<Viewing | null>(null);
  const open = (view: Viewing) => {
    if (openViewing(view)) onOpened();
    else setBlocked(view);
  };
  const write = useWrite({
    run: () => call<Viewing>("POST", `/_service/accounts/${account.id}/view`, { body: { reason } }),
    onDone: open,
    fields: ["reason"],
    required: () => ({ reason: reason.trim() }),
  });
  return (
    <section className="stack" aria-label={text.title(account.name)}>
      <h3>{text.title(account.name)}</h3>
      <p>{text.text}</p>
      {blocked === null ? (
        <Form writes={[write]} onSubmit={() => write.send(undefined)}>
          <Field
            label={text.reason}
            name="reason"
            value={reason}
            onChange={setReason}
            error={write.refused.fields.reason}
            help={text.reasonHelp}
            autoComplete="off"
            autoFocus
          />
          <Refusal refused={write.refused} />
          <div className="actions">
            <Button onPress={onClose}>{en.common.cancel}</Button>
            <Button look="primary" type="submit" isBusy={write.isBusy}>
              {text.button}
            </Button>
          </div>
        </Form>
      ) : (
        <>
          <Notice look="warn">
            <p>{text.blocked}</p>
          </Notice>
          <div className="actions">
            <Button onPress={onClose}>{en.common.cancel}</Button>
            <Button look="primary" onPress={() => open(blocked)}>
              {text.openWindow}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
