import { copyToClipboard } from "../../browser/files/clipboard.js";
import { Button } from "../../parts/button/button.js";
import { Field } from "../../parts/form/field.js";
import { Dialog } from "../../parts/overlay/dialog.js";
import { useToast } from "../../parts/overlay/toast.js";
import { en } from "../../text/en/en.js";
import { enWebhooks } from "../../text/en/operators/webhooks.js";

const text = enWebhooks;

/** Shows a secret once. */
export function ShownSecret({
  secret,
  onClose,
}: {
  readonly secret: string;
  readonly onClose: () => void;
}) {
  const toast = useToast();
  const copy = async () => {
    toast((await copyToClipboard(secret)) ? en.common.copied : en.common.notCopied);
  };
  return (
    <Dialog title={text.secretTitle} onClose={onClose}>
      <p>{text.secretText}</p>
      <Field label={text.secret} name="secret" value={secret} isReadOnly onChange={() => {}} />
      <div className="actions">
        <Button icon="copy" look="primary" onPress={() => void copy()}>
          {text.copySecret}
        </Button>
        <Button onPress={onClose}>{en.common.done}</Button>
      </div>
    </Dialog>
  );
}
