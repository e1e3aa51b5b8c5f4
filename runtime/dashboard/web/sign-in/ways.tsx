import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { AuthConfig } from "../api/account/auth-config.js";
import { canUsePasskeys } from "../api/account/passkeys.js";
import { call } from "../api/client/client.js";
import { isCode } from "../api/client/errors.js";
import type { SignedIn } from "../api/client/types.js";
import { useWrite } from "../api/client/writes.js";
import { type Preferences, prefer, preference } from "../browser/storage/preferences.js";
import { Button } from "../parts/button/button.js";
import { Field } from "../parts/form/field.js";
import { Form } from "../parts/form/form.js";
import { Refusal } from "../parts/status/notice.js";
import { en } from "../text/en/en.js";
import { useFinish } from "./finish.js";
import { usePasskey } from "./passkey.js";
import { ProviderButtons } from "./provider/buttons.js";

const text = en.signIn;

export interface WaysProps {
  readonly config: AuthConfig;
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly redirectTo: string;
  readonly onSent: (what: "link" | "code") => void;
}

type Way = Preferences["way"];

export function mailLink(email: string, redirectTo: string): Promise<undefined> {
  const to = redirectTo === "/" ? {} : { redirectTo };
  return call("POST", "/auth/magic-link", {
    body: { email: email.trim(), ...to },
    mayBeSignedOut: true,
  });
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one page, whose ways share its state
export function Ways({ config, email, onEmail, redirectTo, onSent }: WaysProps) {
  const [password, setPassword] = useState("");
  const finish = useFinish();
  const [, go] = useLocation();
  const options = { mayBeSignedOut: true };

  const signIn = useWrite({
    run: () =>
      call<SignedIn>("POST", "/auth/token", {
        body: { email: email.trim(), password },
        ...options,
      }).catch((error: unknown) => {
        if (isCode(error, "EMAIL_NOT_VERIFIED")) {
          prefer("email", email.trim());
          go("/verify-email");
        }
        throw error;
      }),
    onDone: (answer) => finish(answer, { way: "password", email: email.trim(), redirectTo }),
    fields: ["email", "password"],
    required: () => ({ email: email.trim(), password }),
  });
  const mail = useWrite({
    run: (what: "link" | "code") =>
      what === "link"
        ? mailLink(email, redirectTo)
        : call<undefined>("POST", "/auth/email-code", {
            body: { email: email.trim() },
            ...options,
          }),
    onDone: (_, what) => {
      prefer("way", what);
      onSent(what);
    },
    fields: ["email"],
    required: () => ({ email: email.trim() }),
    requiredText: text.addressFirst,
  });
  const passkey = usePasskey({ isOffered: config.passkeys }, (answer) =>
    finish(answer, { way: "passkey", email: null, redirectTo }),
  );

  // Of two methods, only the last attempted one displays its refusal.
  const tryBy = (way: Way) => {
    if (way !== "passkey") passkey.clear();
    if (way !== "password") signIn.clear();
    if (way === "password" || way === "passkey") mail.clear();
    if (way === "password") signIn.send(undefined);
    else if (way === "passkey") passkey.ask();
    else mail.send(way);
  };
  const offered: Record<Way, boolean> = {
    password: config.password,
    passkey: config.passkeys && canUsePasskeys(),
    link: config.magicLink,
    code: config.emailCode,
  };
  const wished = preference("way");
  const first: Way = offered[wished] ? wished : "password";
  const buttonOf = (way: Exclude<Way, "password">) => (
    <Button
      key={way}
      icon={way === "passkey" ? "key" : "mail"}
      isWide
      isBusy={way === "passkey" ? passkey.isBusy : mail.isBusy}
      {...(way === first ? { look: "primary" as const } : {})}
      onPress={() => tryBy(way)}
    >
      {text[way]}
    </Button>
  );
  const others = (["passkey", "link", "code"] as const).filter(
    (way) => offered[way] && way !== first,
  );
  const usedLast = <p className="small muted">{text.lastWay}</p>;
  const address = (
    <Field
      label={en.common.email}
      name="email"
      type="email"
      value={email}
      onChange={onEmail}
      autoComplete="username webauthn"
      error={signIn.refused.fields.email ?? mail.refused.fields.email}
      autoFocus={email === ""}
    />
  );
  const refusals = [passkey.refused, signIn.refused, mail.refused];
  const refused = refusals.find(({ general, until }) => general !== null || until !== null);

  return (
    <>
      <Form writes={[signIn, mail]} onSubmit={() => tryBy("password")}>
        {first === "passkey" ? (
          <div className="stack near">
            {buttonOf("passkey")}
            {usedLast}
          </div>
        ) : null}
        {first === "passkey" && config.password ? <p className="or">{text.orPassword}</p> : null}
        {address}
        {first === "link" || first === "code" ? (
          <>
            <div className="stack near">
              {buttonOf(first)}
              {usedLast}
            </div>
            {config.password ? <p className="or">{text.orPassword}</p> : null}
          </>
        ) : null}
        {config.password ? (
          <>
            <Field
              label={en.common.password}
              name="password"
              type="password"
              value={password}
              onChange={setPassword}
              autoComplete="current-password"
              error={signIn.refused.fields.password}
            />
            <Refusal refused={refused ?? signIn.refused} />
            <Button
              type="submit"
              isWide
              isBusy={signIn.isBusy}
              {...(first === "password" ? { look: "primary" as const } : {})}
            >
              {text.signIn}
            </Button>
            <Link className="small" href="/forgot-password" state={{ email }}>
              {text.forgot}
            </Link>
          </>
        ) : (
          <Refusal refused={refused ?? signIn.refused} />
        )}
      </Form>
      {others.length === 0 ? null : (
        <div className="stack near">
          <p className="or">{config.password ? text.noPassword : text.orOther}</p>
          <div className="methods stack near">{others.map(buttonOf)}</div>
        </div>
      )}
      <ProviderButtons providers={config.providers ?? []} redirectTo={redirectTo} />
    </>
  );
}
