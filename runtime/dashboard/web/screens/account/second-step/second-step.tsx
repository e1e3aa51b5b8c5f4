import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { configQuery, meQuery } from "../../../api/account/queries.js";
import { useSession } from "../../../api/account/session.js";
import { call } from "../../../api/client/client.js";
import { Button } from "../../../parts/button/button.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { Tag } from "../../../parts/page/page.js";
import { enAccount } from "../../../text/en/account.js";
import { Card } from "../card.js";
import { AskPassword } from "./ask-password.js";
import { BackupCodes } from "./backup-codes.js";
import { SetUpSecondStep } from "./set-up.js";

const text = enAccount.second;

type State =
  | { readonly kind: "rest" }
  | { readonly kind: "set-up"; readonly method: "totp" | "email" }
  | { readonly kind: "codes"; readonly codes: readonly string[]; readonly isSetUp: boolean }
  | { readonly kind: "renew" | "off" };

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one card, whose dialogs share its state
export function SecondStepPart() {
  const { user } = useSession();
  const config = useQuery(configQuery);
  const client = useQueryClient();
  const toast = useToast();
  const [state, setState] = useState<State>({ kind: "rest" });
  const rest = () => setState({ kind: "rest" });
  const again = () => client.refetchQueries(meQuery);
  const offered = config.data?.twoFactor ?? { authenticator: false, email: false };
  const isOn = user.twoFactorEnabled;

  if (config.isSuccess && !offered.authenticator && !offered.email) {
    return <Card title={text.title} text={text.unavailable} />;
  }

  if (state.kind === "codes") {
    const { codes, isSetUp } = state;
    return (
      <BackupCodes
        codes={codes}
        isSetUp={isSetUp}
        onDone={() => {
          rest();
          toast(isSetUp ? text.turnedOn : text.renewed);
        }}
      />
    );
  }
  if (state.kind === "set-up") {
    return (
      <SetUpSecondStep
        method={state.method}
        onCancel={rest}
        onDone={(codes) => {
          void again();
          // The message would cover the codes, so it waits until they are saved.
          if (codes.length > 0) setState({ kind: "codes", codes, isSetUp: true });
          else {
            rest();
            toast(`${text.turnedOn}. ${text.kept2}`);
          }
        }}
      />
    );
  }
  return (
    <Card
      title={text.title}
      text={isOn ? text.on : text.off}
      action={<Tag look={isOn ? "good" : "warn"}>{isOn ? text.stateOn : text.stateOff}</Tag>}
    >
      <div className="body row wrap">
        {offered.authenticator ? (
          <Button
            {...(isOn ? {} : { look: "primary" as const })}
            icon="phone"
            onPress={() => setState({ kind: "set-up", method: "totp" })}
          >
            {isOn ? text.appReplace : text.app}
          </Button>
        ) : null}
        {offered.email && !isOn ? (
          <Button icon="mail" onPress={() => setState({ kind: "set-up", method: "email" })}>
            {text.mail}
          </Button>
        ) : null}
        {isOn ? (
          <>
            <Button onPress={() => setState({ kind: "renew" })}>{text.renew}</Button>
            <Button look="quiet-danger" onPress={() => setState({ kind: "off" })}>
              {text.turnOff}
            </Button>
          </>
        ) : null}
      </div>
      {state.kind === "renew" ? (
        <AskPassword
          title={text.renewTitle}
          text={text.renewText}
          button={text.renewButton}
          run={(password) =>
            call<{ backupCodes: readonly string[] }>("POST", "/auth/two-factor/backup-codes", {
              body: {
                password,
              },
            })
          }
          onDone={({ backupCodes }) =>
            setState({ kind: "codes", codes: backupCodes, isSetUp: false })
          }
          onClose={rest}
        />
      ) : null}
      {state.kind === "off" ? (
        <AskPassword
          title={text.turnOffTitle}
          text={text.turnOffText}
          button={text.turnOffButton}
          look="danger"
          run={(password) =>
            call<undefined>("POST", "/auth/two-factor/disable", { body: { password } })
          }
          onDone={() => {
            void again();
            rest();
            toast(text.turnedOff);
          }}
          onClose={rest}
        />
      ) : null}
    </Card>
  );
}
