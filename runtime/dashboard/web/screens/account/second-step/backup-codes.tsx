import { useState } from "react";
import { useSession } from "../../../api/account/session.js";
import { copyToClipboard } from "../../../browser/files/clipboard.js";
import { saveFile } from "../../../browser/files/save-file.js";
import { Button } from "../../../parts/button/button.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { appName } from "../../../parts/page/page.js";
import { date, now } from "../../../text/dates.js";
import { enAccount } from "../../../text/en/account.js";
import { en } from "../../../text/en/en.js";
import { Card } from "../card.js";
import { Steps } from "./steps.js";

const text = enAccount.second;

/** Displays backup codes once; they must be copied, printed or saved before the user continues. */
export function BackupCodes({
  codes,
  isSetUp,
  onDone,
}: {
  readonly codes: readonly string[];
  /** Whether this is the last step of the setup rather than a replacement of earlier codes. */
  readonly isSetUp: boolean;
  readonly onDone: () => void;
}) {
  const [isKept, setKept] = useState(false);
  const toast = useToast();
  const { user } = useSession();
  const whose = text.codesOf(appName(), user.email, date(new Date(now()).toISOString()));
  const all = `${whose}\n\n${codes.join("\n")}\n`;
  return (
    <Card
      title={text.codesTitle}
      text={text.codesText}
      action={isSetUp ? <Steps at={2} /> : undefined}
    >
      <div className="body stack">
        <p className="printed strong">{whose}</p>
        <ol className="codes" aria-label={text.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div className="row wrap unprinted">
          <Button
            icon="copy"
            onPress={async () =>
              toast((await copyToClipboard(all)) ? en.common.copied : en.common.notCopied)
            }
          >
            {en.common.copy}
          </Button>
          <Button icon="print" onPress={() => window.print()}>
            {text.print}
          </Button>
          <Button
            icon="save"
            onPress={() => saveFile(text.fileName(appName()), [all], "text/plain")}
          >
            {text.saveFile}
          </Button>
        </div>
        <label className="option unprinted">
          <input
            className="check"
            type="checkbox"
            checked={isKept}
            onChange={(event) => setKept(event.target.checked)}
          />
          {text.kept}
        </label>
        <div className="unprinted">
          <Button look="primary" onPress={onDone} {...(isKept ? {} : { barred: text.keepFirst })}>
            {en.common.done}
          </Button>
        </div>
      </div>
    </Card>
  );
}
