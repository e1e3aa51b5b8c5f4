import { copyToClipboard } from "../../browser/files/clipboard.js";
import { Icon } from "../../parts/button/icon.js";
import { useToast } from "../../parts/overlay/toast.js";
import { en } from "../../text/en/en.js";
import "./web-address.css";

/** The link of a URL or an email address; null for anything else, such as a `javascript:` URL. */
export function hrefOf(format: string | undefined, value: string): string | null {
  if (format === "email") return value.includes("@") ? `mailto:${encodeURI(value)}` : null;
  return format === "url" && /^https?:\/\/./i.test(value) ? value : null;
}

/** A URL or an email address in a table or a list of values, to follow or to copy. */
export function WebAddress({ href, value }: { readonly href: string; readonly value: string }) {
  return (
    <span className="web-address">
      <a className="cut" href={href} target="_blank" rel="noreferrer" title={value}>
        <bdi>{value}</bdi>
      </a>
      <CopyButton value={value} className="copy-at" />
    </span>
  );
}

/** Copies an address; `className` depends on where it is displayed. */
export function CopyButton({
  value,
  className,
}: {
  readonly value: string;
  readonly className: string;
}) {
  const toast = useToast();
  const copy = async () => {
    toast((await copyToClipboard(value)) ? en.common.copied : en.common.notCopied);
  };
  return (
    <button
      type="button"
      className={className}
      aria-label={en.common.copyValue(value)}
      onClick={() => void copy()}
    >
      <Icon name="copy" />
    </button>
  );
}
