import { type ReactNode, useState } from "react";
import { call } from "../api/client/client.js";
import { nothingRefused } from "../api/client/errors.js";
import { useWrite } from "../api/client/writes.js";
import { Button } from "../parts/button/button.js";
import { CodeField } from "../parts/form/code-field.js";
import { Form } from "../parts/form/form.js";
import { Refusal } from "../parts/status/notice.js";
import { en } from "../text/en/en.js";

export interface MailedCodeProps<Answer> {
  readonly email: string;
  /** The endpoint that verifies the code. */
  readonly path: string;
  /** The endpoint that sends another email. */
  readonly again: string;
  readonly button: string;
  /** Sent with the code and the address. */
  readonly more?: { readonly name: string };
  readonly onDone: (answer: Answer) => void;
  /** Other options, below the buttons. */
  readonly children?: ReactNode;
}

/** The field for a mailed code, and the button that sends another email. */
export function MailedCode<Answer>(props: MailedCodeProps<Answer>) {
  const { email, path, again, button, more, onDone } = props;
  const [code, setCode] = useState("");
  const [isSentAgain, setSentAgain] = useState(false);
  const options = { mayBeSignedOut: true };
  const verify = useWrite({
    run: (entered: string) =>
      call<Answer>("POST", path, { body: { email, code: entered, ...more }, ...options }),
    onDone,
    fields: ["code"],
    places: { INVALID_OTP: "code", OTP_EXPIRED: "code" },
    required: (entered) => ({ code: entered }),
  });
  const mail = useWrite({
    run: () => call<undefined>("POST", again, { body: { email }, ...options }),
    onDone: () => {
      setSentAgain(true);
      setCode("");
      verify.clear();
    },
  });
  const other = mail.error === null ? nothingRefused : mail.refused;
  return (
    <Form writes={[verify]} onSubmit={() => verify.send(code)}>
      <CodeField
        label={en.signIn.codeLabel}
        value={code}
        onChange={setCode}
        onComplete={verify.send}
        error={verify.refused.fields.code}
        help={en.signIn.codeHelp}
        autoFocus
      />
      <Refusal
        refused={
          verify.refused.general === null && verify.refused.until === null ? other : verify.refused
        }
      />
      <div role="status" className="small muted">
        {isSentAgain ? en.signIn.sentAgain : null}
      </div>
      <Button look="primary" type="submit" isWide isBusy={verify.isBusy}>
        {button}
      </Button>
      <Button look="quiet" isBusy={mail.isBusy} onPress={() => mail.send(undefined)}>
        {en.signIn.sendAgain}
      </Button>
      {props.children}
    </Form>
  );
}
