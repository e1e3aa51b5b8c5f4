import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { canUsePasskeys, PasskeyCancelled, signInWithPasskey } from "../api/account/passkeys.js";
import { configQuery } from "../api/account/queries.js";
import { type Challenge, keepChallenge } from "../api/client/challenge.js";
import { call, onSessionEnd } from "../api/client/client.js";
import { nothingRefused, refusedOf } from "../api/client/errors.js";
import type { SignedIn, User } from "../api/client/types.js";
import { useWrite } from "../api/client/writes.js";
import { here, leaveTo, signInPath } from "../browser/address/address.js";
import { noteAccount } from "../browser/storage/tabs.js";
import { Button } from "../parts/button/button.js";
import { Field } from "../parts/form/field.js";
import { Form } from "../parts/form/form.js";
import { Dialog } from "../parts/overlay/dialog.js";
import { Refusal } from "../parts/status/notice.js";
import { now } from "../text/dates.js";
import { en } from "../text/en/en.js";
import { maxGuesses } from "./finish.js";
import { ProviderButtons } from "./provider/buttons.js";
import { SecondStepForm } from "./second-step-form.js";

const text = en.again;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** A dialog shown when the session has ended. Changes on the page behind it are kept only for the same account. */
export function SignInAgain({ user }: { readonly user: User }) {
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  useEffect(() => {
    onSessionEnd(() => new Promise<void>((resolve, reject) => setWaiting({ resolve, reject })));
    return () => onSessionEnd(null);
  }, []);
  if (waiting === null) return null;
  return (
    <Dialog title={text.title} onClose={() => leaveTo(signInPath(here()))}>
      <Again
        user={user}
        onDone={() => {
          waiting.resolve();
          setWaiting(null);
        }}
      />
    </Dialog>
  );
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one dialog, whose steps share its state
function Again({ user, onDone }: { readonly user: User; readonly onDone: () => void }) {
  const [password, setPassword] = useState("");
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const [passkeyError, setPasskeyError] = useState(nothingRefused);
  const prompt = useRef(new AbortController());
  const config = useQuery(configQuery);

  const take = (answer: SignedIn) => {
    if ("twoFactor" in answer) {
      const { challenge: text, methods } = answer;
      const until = now() + 600_000;
      setChallenge({
        challenge: text,
        methods,
        until,
        email: user.email,
        redirectTo: here(),
        tries: maxGuesses,
      });
      return;
    }
    noteAccount(answer.user.id);
    if (answer.user.id === user.id) onDone();
    // With another account, the previous account's data must not stay visible.
    else leaveTo("/");
  };
  const signIn = useWrite({
    run: () =>
      call<SignedIn>("POST", "/auth/token", {
        body: { email: user.email, password },
        mayBeSignedOut: true,
      }),
    onDone: take,
    places: { INVALID_EMAIL_OR_PASSWORD: "password" },
    required: () => ({ password }),
  });
  const askForPasskey = async () => {
    try {
      take(await signInWithPasskey("optional", prompt.current.signal));
    } catch (error) {
      const cancelled = { ...nothingRefused, general: en.signIn.passkeyCancelled };
      setPasskeyError(error instanceof PasskeyCancelled ? cancelled : refusedOf(error, []));
    }
  };
  if (challenge !== null) {
    return (
      <SecondStepForm
        challenge={challenge}
        onDone={take}
        onOver={() => setChallenge(null)}
        onTried={(tries) => setChallenge({ ...challenge, tries })}
      />
    );
  }
  const providers = config.data?.providers ?? [];
  return (
    <>
      <Form
        writes={[signIn]}
        onSubmit={() => {
          keepChallenge(null);
          signIn.send(undefined);
        }}
      >
        <p className="muted">{text.text}</p>
        <input
          className="hidden"
          type="text"
          autoComplete="username"
          defaultValue={user.email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <Field
          label={text.password(user.email)}
          name="password"
          type="password"
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          error={signIn.refused.fields.password}
          autoFocus
        />
        <Refusal refused={signIn.error === null ? passkeyError : signIn.refused} />
        <div className="actions">
          {canUsePasskeys() && config.data?.passkeys !== false ? (
            <Button icon="key" onPress={() => void askForPasskey()}>
              {text.passkey}
            </Button>
          ) : null}
          <Button look="primary" type="submit" isBusy={signIn.isBusy}>
            {en.signIn.signIn}
          </Button>
        </div>
        {/* In a separate row: on a phone, the main button would not fit next to the other two. */}
        <div>
          <Button look="quiet" size="small" onPress={() => leaveTo(signInPath(here()))}>
            {text.leave}
          </Button>
        </div>
      </Form>
      <ProviderButtons providers={providers} redirectTo={here()} />
      {providers.length === 0 ? null : <p className="small muted">{text.providers}</p>}
    </>
  );
}
