import { useState } from "react";
import { call } from "../../api/client/client.js";
import type { ServiceToken } from "../../api/client/types.js";
import { useWrite } from "../../api/client/writes.js";
import { copyToClipboard } from "../../browser/files/clipboard.js";
import { Button } from "../../parts/button/button.js";
import { Choice } from "../../parts/form/choice.js";
import { Field } from "../../parts/form/field.js";
import { Form } from "../../parts/form/form.js";
import { Dialog } from "../../parts/overlay/dialog.js";
import { useToast } from "../../parts/overlay/toast.js";
import { Refusal } from "../../parts/status/notice.js";
import { enAccount } from "../../text/en/account.js";
import { en } from "../../text/en/en.js";
import { OwnerButton } from "./owner-check.js";

const text = enAccount.tokens;

/** The lifetimes of a token in days; 0 means unlimited. */
const lifetimes = ["30", "90", "365", "0"] as const;

export interface NewTokenProps {
  readonly onClose: () => void;
  readonly onMade: () => void;
}

/** Creates a token and displays it once. */
export function NewToken({ onClose, onMade }: NewTokenProps) {
  const [name, setName] = useState("");
  const [days, setDays] = useState<string>("90");
  const [token, setToken] = useState<string | null>(null);
  const make = useWrite({
    run: () =>
      call<ServiceToken & { readonly token: string }>("POST", "/auth/service-tokens", {
        body: {
          name: name.trim(),
          days: days === "0" ? null : Number(days),
        },
      }),
    onDone: (made) => {
      setToken(made.token);
      onMade();
    },
    fields: ["name"],
    required: () => ({ name: name.trim() }),
  });
  if (token !== null) return <ShownToken token={token} onClose={onClose} />;
  return (
    <Dialog title={text.addTitle} onClose={onClose} closesOutside={name === ""}>
      <Form writes={[make]} onSubmit={() => make.send(undefined)}>
        <Field
          label={text.name}
          name="name"
          value={name}
          maxLength={100}
          autoFocus
          autoComplete="off"
          onChange={setName}
          error={make.refused.fields.name}
          help={text.nameHelp}
        />
        <Choice
          label={text.lifetime}
          value={days}
          options={lifetimes.map((one) => ({ value: one, label: text.lifetimes[one] }))}
          onChange={setDays}
        />
        <Refusal refused={make.refused} />
        <div className="actions">
          <Button onPress={onClose}>{en.common.cancel}</Button>
          <OwnerButton write={make} look="primary">
            {text.create}
          </OwnerButton>
        </div>
      </Form>
    </Dialog>
  );
}

function ShownToken({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  const toast = useToast();
  const copy = async () => {
    toast((await copyToClipboard(token)) ? en.common.copied : en.common.notCopied);
  };
  return (
    <Dialog title={text.shownTitle} onClose={onClose}>
      <p>{text.shown}</p>
      <Field label={text.token} name="token" value={token} isReadOnly onChange={() => {}} />
      <div className="actions">
        <Button icon="copy" look="primary" onPress={() => void copy()}>
          {text.copy}
        </Button>
        <Button onPress={onClose}>{en.common.done}</Button>
      </div>
    </Dialog>
  );
}
