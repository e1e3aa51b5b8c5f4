import type { Row } from "../../api/client/types.js";
import { copyToClipboard } from "../../browser/files/clipboard.js";
import { TimestampText } from "../../kinds/value/timestamp-text.js";
import { Button } from "../../parts/button/button.js";
import { useToast } from "../../parts/overlay/toast.js";
import { en } from "../../text/en/en.js";
import { enList } from "../../text/en/list.js";
import { enRecord } from "../../text/en/record.js";

const text = enRecord;

/** The values that every record has besides its fields. */
export function Facts({ record }: { readonly record: Row }) {
  const toast = useToast();
  const copy = async (words: string) => {
    toast((await copyToClipboard(words)) ? en.common.copied : en.common.notCopied);
  };
  return (
    <aside aria-label={text.about}>
      <dl className="facts">
        {(["createdAt", "updatedAt"] as const).map((name) =>
          record[name] === null ? null : (
            <div key={name}>
              <dt>{name === "createdAt" ? enList.created : enList.updated}</dt>
              <dd>
                <TimestampText iso={String(record[name])} />
              </dd>
            </div>
          ),
        )}
        <div>
          <dt>{text.id}</dt>
          <dd className="mono" title={record.id}>
            {record.id}
          </dd>
        </div>
      </dl>
      <div className="row wrap copies">
        <Button size="small" icon="copy" onPress={() => void copy(record.id)}>
          {text.copyId}
        </Button>
        <Button size="small" icon="copy" onPress={() => void copy(location.href)}>
          {text.copyLink}
        </Button>
      </div>
    </aside>
  );
}
