import { Button } from "../../../parts/button/button.js";
import { Notice } from "../../../parts/status/notice.js";

export interface BannerProps {
  readonly text: string;
  readonly detail?: string | undefined;
  readonly actions: readonly { readonly label: string; readonly onPress: () => void }[];
}

/** A message above the form about an event elsewhere, with the possible actions. */
export function Banner({ text, detail, actions }: BannerProps) {
  return (
    <div role="status">
      <Notice look="warn">
        <div className="row wrap spread">
          <div>
            <p className="strong">{text}</p>
            {detail === undefined ? null : <p className="small">{detail}</p>}
          </div>
          <div className="row wrap">
            {actions.map(({ label, onPress }) => (
              <Button key={label} size="small" onPress={onPress}>
                {label}
              </Button>
            ))}
          </div>
        </div>
      </Notice>
    </div>
  );
}
