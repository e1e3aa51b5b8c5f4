import { useState } from "react";
import { useSession } from "../../../api/account/session.js";
import { call } from "../../../api/client/client.js";
import type { SetUp } from "../../../api/client/types.js";
import { useWrite } from "../../../api/client/writes.js";
import { copyToClipboard } from "../../../browser/files/clipboard.js";
import { Button } from "../../../parts/button/button.js";
import { CodeField } from "../../../parts/form/code-field.js";
import { Field } from "../../../parts/form/field.js";
import { Form } from "../../../parts/form/form.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { appName } from "../../../parts/page/page.js";
import { Refusal } from "../../../parts/status/notice.js";
import { enAccount } from "../../../text/en/account.js";
import { en } from "../../../text/en/en.js";
import { Card } from "../card.js";
import { Steps } from "./steps.js";

const text = enAccount.second;

export interface SetUpProps {
  readonly method: "totp" | "email";
  readonly onCancel: () => void;
  readonly onDone: (codes: readonly string[]) => void;
}

/** Asks for the password, then for a code that proves that the app or the email works, and only then enables it. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one dialog, whose steps share its state
export function SetUpSecondStep({ method, onCancel, onDone }: SetUpProps) {
  const { user } = useSession();
  const toast = useToast();
  const [password, setPassword] = useState("");
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  const [code, setCode] = useState("");
  const enable = useWrite({
    run: () => call<SetUp>("POST", "/auth/two-factor/enable", { body: { password, method } }),
    onDone: setSetUp,
    fields: ["password"],
    places: { INVALID_PASSWORD: "password" },
    required: () => ({ password }),
  });
  const confirm = useWrite({
    run: (entered: string) =>
      call<{ backupCodes: readonly string[] }>("POST", "/auth/two-factor/confirm", {
        body: {
          code: entered,
        },
      }),
    onDone: ({ backupCodes }) => onDone(backupCodes),
    fields: ["code"],
    places: { INVALID_TWO_FACTOR_CODE: "code" },
    required: (entered) => ({ code: entered }),
  });
  return (
    <Card
      title={method === "totp" ? text.app : text.mail}
      text={method === "totp" ? text.setUp(appName()) : text.setUpMail}
      action={<Steps at={setUp === null ? 0 : 1} />}
    >
      {setUp === null ? (
        <Form
          key="password"
          className="body stack"
          writes={[enable]}
          onSubmit={() => enable.send(undefined)}
        >
          <Field
            label={text.password}
            name="password"
            type="password"
            value={password}
            onChange={setPassword}
            autoComplete="current-password"
            error={enable.refused.fields.password}
            autoFocus
          />
          <Refusal refused={enable.refused} />
          <div className="row">
            <Button look="primary" type="submit" isBusy={enable.isBusy}>
              {text.go}
            </Button>
            <Button look="quiet" onPress={onCancel}>
              {en.common.cancel}
            </Button>
          </div>
        </Form>
      ) : (
        <Form
          key="code"
          className={setUp.method === "totp" ? "body setup" : "body stack"}
          writes={[confirm]}
          onSubmit={() => confirm.send(code)}
        >
          {setUp.method === "totp" ? <img className="qr" src={setUp.qrCode} alt={text.qr} /> : null}
          <div className="stack">
            {setUp.method === "totp" ? (
              <>
                <p className="small">{text.scan}</p>
                <div className="row">
                  <code className="mono strong grow">{spaced(setUp.secret)}</code>
                  <Button
                    icon="copy"
                    label={text.copySecret}
                    onPress={async () =>
                      toast(
                        (await copyToClipboard(setUp.secret))
                          ? en.common.copied
                          : en.common.notCopied,
                      )
                    }
                  />
                </div>
              </>
            ) : null}
            <CodeField
              label={setUp.method === "totp" ? text.code : text.mailCode(user.email)}
              value={code}
              onChange={setCode}
              onComplete={confirm.send}
              error={confirm.refused.fields.code}
              autoFocus
            />
            <Refusal refused={confirm.refused} />
            <div className="row">
              <Button look="primary" type="submit" isBusy={confirm.isBusy}>
                {text.turnOn}
              </Button>
              <Button look="quiet" onPress={onCancel}>
                {en.common.cancel}
              </Button>
            </div>
          </div>
        </Form>
      )}
    </Card>
  );
}

/** The secret in groups of four, for reading aloud. */
function spaced(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, "$1 ");
}
