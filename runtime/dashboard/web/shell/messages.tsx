import { Dialog } from "../parts/overlay/dialog.js";
import { ToastButtons, usePastToasts } from "../parts/overlay/toast.js";
import { relative } from "../text/dates.js";
import { en } from "../text/en/en.js";

const text = en.frame;

/** The last messages, for users who did not read them in time. */
export default function Messages({ onClose }: { readonly onClose: () => void }) {
  const past = usePastToasts();
  return (
    <Dialog title={text.messages} onClose={onClose} closesOutside>
      {past.length === 0 ? <p className="muted">{text.noMessages}</p> : null}
      <ul className="stack near">
        {past.map((toast) => (
          <li key={toast.key} className="row">
            <span className="grow">{toast.text}</span>
            <ToastButtons toast={toast} onDone={onClose} />
            <time className="small muted" dateTime={new Date(toast.at).toISOString()}>
              {relative(new Date(toast.at).toISOString())}
            </time>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
