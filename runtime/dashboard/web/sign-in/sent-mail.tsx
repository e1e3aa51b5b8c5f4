import { type ReactNode, useState } from "react";
import { useWrite } from "../api/client/writes.js";
import { Button } from "../parts/button/button.js";
import { Refusal } from "../parts/status/notice.js";
import { en } from "../text/en/en.js";

const text = en.signIn;

/** The options after an email with a link was sent: another email, and `children`. */
export function SentMail({
  again,
  children,
}: {
  readonly again: () => Promise<unknown>;
  readonly children: ReactNode;
}) {
  const [isSentAgain, setSentAgain] = useState(false);
  const mail = useWrite({ run: again, onDone: () => setSentAgain(true) });
  return (
    <div className="stack near">
      <Refusal refused={mail.refused} />
      <div role="status" className="small muted">
        {isSentAgain ? text.sentAgain : null}
      </div>
      <Button isWide isBusy={mail.isBusy} onPress={() => mail.send(undefined)}>
        {text.sendAgain}
      </Button>
      {children}
    </div>
  );
}
