import { useState } from "react";
import { call } from "../../api/client/client.js";
import { useWrite } from "../../api/client/writes.js";
import { leaveTo } from "../../browser/address/address.js";
import { Button } from "../../parts/button/button.js";
import { Form } from "../../parts/form/form.js";
import { Dialog } from "../../parts/overlay/dialog.js";
import { Refusal } from "../../parts/status/notice.js";
import { enAccount } from "../../text/en/account.js";
import { en } from "../../text/en/en.js";
import { Card } from "./card.js";
import { OwnerButton, OwnPassword, passwordIn, passwordPlaces } from "./owner-check.js";

const text = enAccount.leave;

/** Deletes the signed-in account, if the server allows it. */
export function DeleteAccount() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title={text.title}
      text={text.text}
      action={
        <Button look="quiet-danger" onPress={() => setOpen(true)}>
          {text.open}
        </Button>
      }
    >
      {isOpen ? <Question onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

function Question({ onClose }: { readonly onClose: () => void }) {
  const [password, setPassword] = useState("");
  const remove = useWrite({
    run: () => call<undefined>("DELETE", "/auth/me", { body: passwordIn(password) }),
    // The page reloads, without any data of the account.
    onDone: () => leaveTo("/sign-in"),
    fields: ["password"],
    places: passwordPlaces,
  });
  return (
    <Dialog title={text.question} onClose={onClose} isAlert>
      <Form writes={[remove]} onSubmit={() => remove.send(undefined)}>
        <p>{text.warning}</p>
        <OwnPassword
          value={password}
          onChange={setPassword}
          error={remove.refused.fields.password}
        />
        <Refusal refused={remove.refused} />
        <div className="actions">
          <Button onPress={onClose}>{en.common.cancel}</Button>
          <OwnerButton write={remove} look="danger">
            {text.button}
          </OwnerButton>
        </div>
      </Form>
    </Dialog>
  );
}
