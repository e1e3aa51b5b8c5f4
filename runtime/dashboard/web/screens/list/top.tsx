import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import type { Resource } from "../../api/client/types.js";
import { listPath, may, thing } from "../../api/records/descriptors.js";
import { Button } from "../../parts/button/button.js";
import { Icon } from "../../parts/button/icon.js";
import { Menu } from "../../parts/overlay/menu.js";
import { Title } from "../../parts/page/page.js";
import { Notice } from "../../parts/status/notice.js";
import { PublicMark } from "../../rules/public-mark.js";
import { en } from "../../text/en/en.js";
import { enList } from "../../text/en/list.js";

const text = enList;

/** The title of the list, and its actions. */
export function ListTop({
  resource,
  onExport,
  children,
}: {
  readonly resource: Resource;
  readonly onExport: () => void;
  /** The choice of how the records are shown. */
  readonly children: ReactNode;
}) {
  const [, go] = useLocation();
  const toImport = {
    id: "import",
    label: text.import,
    onAction: () => go(`${listPath(resource)}/import`),
  };
  const toTrash = {
    id: "trash",
    label: text.trash,
    onAction: () => go(`${listPath(resource)}/trash`),
  };
  const hasTrash = resource.trash !== undefined && may(resource, "delete");
  const toExport = { id: "export", label: text.exportAll, onAction: onExport };
  return (
    <div className="top">
      <div className="row grow">
        <Title>{resource.label}</Title>
        <PublicMark resource={resource} />
      </div>
      <div className="row">
        <span className="only-wide">{children}</span>
        {hasTrash ? (
          <Link className="button quiet only-wide" href={`${listPath(resource)}/trash`}>
            {text.trash}
          </Link>
        ) : null}
        {may(resource, "create") ? (
          <Link className="button quiet only-wide" href={`${listPath(resource)}/import`}>
            {text.import}
          </Link>
        ) : null}
        <span className="only-wide">
          <Button icon="out" onPress={onExport}>
            {text.exportAll}
          </Button>
        </span>
        <span className="only-small">
          <Menu
            label={text.more}
            button={<Button look="quiet" icon="more" label={text.more} />}
            entries={[
              toExport,
              ...(may(resource, "create") ? [toImport] : []),
              ...(hasTrash ? [toTrash] : []),
            ]}
          />
        </span>
        {may(resource, "create") ? (
          <Link className="button primary" href={`${listPath(resource)}/new`}>
            <Icon name="plus" />
            {text.new(thing(resource))}
          </Link>
        ) : null}
      </div>
    </div>
  );
}

/** Lists the parts of the address that do not apply here. */
export function Dropped({
  parts,
  onDismiss,
}: {
  readonly parts: readonly string[];
  readonly onDismiss: () => void;
}) {
  if (parts.length === 0) return null;
  return (
    <div className="ignored" role="status">
      <Notice look="warn">
        <span className="row spread">
          <span>{text.dropped(parts.join(", "))}</span>
          <Button
            look="quiet"
            size="small"
            icon="close"
            label={en.common.dismiss}
            onPress={onDismiss}
          />
        </span>
      </Notice>
    </div>
  );
}
