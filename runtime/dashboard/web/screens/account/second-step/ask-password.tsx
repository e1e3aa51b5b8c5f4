import { useState } from "react";
import { useWrite } from "../../../api/client/writes.js";
import { Button } from "../../../parts/button/button.js";
import { Field } from "../../../parts/form/field.js";
import { Form } from "../../../parts/form/form.js";
import { Dialog } from "../../../parts/overlay/dialog.js";
import { Refusal } from "../../../parts/status/notice.js";
import { enAccount } from "../../../text/en/account.js";
import { en } from "../../../text/en/en.js";

export interface AskPasswordProps<Answer> {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly look?: "danger";
  readonly run: (password: string) => Promise<Answer>;
  readonly onDone: (answer: Answer) => void;
  readonly onClose: () => void;
}

/** A dialog for a change that requires the current password. */
export function AskPassword<Answer>(props: AskPasswordProps<Answer>) {
  const { title, text, button, look, run, onDone, onClose } = props;
  const [password, setPassword] = useState("");
  const write = useWrite({
    run: () => run(password),
    onDone,
    fields: ["password"],
    places: { INVALID_PASSWORD: "password" },
    required: () => ({ password }),
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form writes={[write]} onSubmit={() => write.send(undefined)}>
        <p>{text}</p>
        <Field
          label={enAccount.second.password}
          name="password"
          type="password"
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          error={write.refused.fields.password}
          autoFocus
        />
        <Refusal refused={write.refused} />
        <div className="actions">
          <Button onPress={onClose}>{en.common.cancel}</Button>
          <Button look={look ?? "primary"} type="submit" isBusy={write.isBusy}>
            {button}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
