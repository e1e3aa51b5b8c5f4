import { useState } from "react";
import type { Challenge, SecondMethod } from "../api/client/challenge.js";
import { call } from "../api/client/client.js";
import { isCode, isStatus } from "../api/client/errors.js";
import type { SignedIn } from "../api/client/types.js";
import { useWrite } from "../api/client/writes.js";
import { Button } from "../parts/button/button.js";
import { CodeField } from "../parts/form/code-field.js";
import { Field } from "../parts/form/field.js";
import { Form } from "../parts/form/form.js";
import { appName } from "../parts/page/page.js";
import { Refusal } from "../parts/status/notice.js";
import { now } from "../text/dates.js";
import { en } from "../text/en/en.js";
import { veiled } from "../text/format.js";

export interface SecondStepProps {
  readonly challenge: Challenge;
  readonly onDone: (answer: SignedIn) => void;
  /** Called when the challenge is used up or has expired. */
  readonly onOver: () => void;
  readonly onTried: (left: number) => void;
}

const text = en.second;

/** Completes a pending sign-in with a code from an app, an email or the list of backup codes. */
export function SecondStepForm({ challenge, onDone, onOver, onTried }: SecondStepProps) {
  const { methods, email, tries, until } = challenge;
  const [method, setMethod] = useState<SecondMethod>(methods[0] ?? "backup");
  const [code, setCode] = useState("");
  const [isSent, setSent] = useState(false);
  const verify = useWrite({
    run: (entered: string) =>
      call<SignedIn>("POST", "/auth/two-factor/verify", {
        body: { challenge: challenge.challenge, method, code: entered },
        mayBeSignedOut: true,
      }).catch((error: unknown) => {
        if (isCode(error, "OTP_EXPIRED") || isStatus(error, 429)) onOver();
        else if (isCode(error, "INVALID_TWO_FACTOR_CODE")) onTried(tries - 1);
        throw error;
      }),
    onDone,
    fields: ["code"],
    places: { INVALID_TWO_FACTOR_CODE: "code" },
    required: (entered) => ({ code: entered }),
  });
  const mail = useWrite({
    run: () =>
      call<undefined>("POST", "/auth/two-factor/send", {
        body: { challenge: challenge.challenge },
        mayBeSignedOut: true,
      }),
    onDone: () => setSent(true),
  });
  const choose = (next: SecondMethod) => {
    setMethod(next);
    setCode("");
    verify.clear();
    if (next === "email") mail.send(undefined);
  };
  const refused = verify.refused.fields.code;
  const isLate = method === "totp" && isCode(verify.error, "INVALID_TWO_FACTOR_CODE");
  const error = refused !== undefined && isLate ? text.nextCode : refused;
  const help = text.left(tries, Math.max(1, Math.ceil((until - now()) / 60_000)));
  const field = { value: code, onChange: setCode, error, help, autoFocus: true };

  return (
    <>
      <Form writes={[verify]} onSubmit={() => verify.send(code.trim())}>
        <p className="intro muted">{introOf(method, email)}</p>
        {method === "backup" ? (
          <Field key={method} label={text.backupLabel} name="code" autoComplete="off" {...field} />
        ) : (
          <CodeField key={method} label={en.signIn.codeLabel} onComplete={verify.send} {...field} />
        )}
        <Refusal refused={verify.refused.general === null ? mail.refused : verify.refused} />
        <div role="status" className="small muted">
          {isSent && method === "email" ? en.signIn.sentAgain : null}
        </div>
        <Button look="primary" type="submit" isWide isBusy={verify.isBusy}>
          {text.confirm}
        </Button>
        {method === "email" && methods.includes("email") ? (
          <Button look="quiet" isBusy={mail.isBusy} onPress={() => mail.send(undefined)}>
            {en.signIn.sendAgain}
          </Button>
        ) : null}
      </Form>
      {methods.length < 2 ? null : (
        <div className="stack near">
          <p className="or">{text.otherWay}</p>
          <div className="methods stack near">
            {methods
              .filter((other) => other !== method)
              .map((other) => (
                <Button
                  key={other}
                  icon={other === "totp" ? "phone" : other === "email" ? "mail" : "key"}
                  onPress={() => choose(other)}
                >
                  {nameOf(other, email)}
                </Button>
              ))}
          </div>
        </div>
      )}
    </>
  );
}

function introOf(method: SecondMethod, email: string | null): string {
  if (method === "totp") return text.totp(appName());
  if (method === "backup") return text.backup;
  return email === null ? text.emailUnknown : text.email(veiled(email));
}

function nameOf(method: SecondMethod, email: string | null): string {
  if (method === "totp") return text.byTotp;
  if (method === "backup") return text.byBackup;
  return email === null ? text.byEmailUnknown : text.byEmail(veiled(email));
}
