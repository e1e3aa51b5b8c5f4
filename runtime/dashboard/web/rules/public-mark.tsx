import { type ReactNode, useState } from "react";
import type { Field, Resource } from "../api/client/types.js";
import { Button } from "../parts/button/button.js";
import { Icon } from "../parts/button/icon.js";
import { Popover } from "../parts/overlay/popover.js";
import { lazyPart } from "../parts/page/lazy-part.js";
import { enRules } from "../text/en/operators/rules.js";
import { isPublic, isPublicField } from "./public.js";
import "./rules.css";

const text = enRules;

interface RulesProps {
  readonly resource: Resource;
  readonly onClose: () => void;
}

const Rules = lazyPart<RulesProps>({
  load: () => import("./rule-list.js"),
  leave: ({ onClose }) => onClose(),
});

/** Marks a public resource; opens its rules in words. On phones, it is the icon alone. */
export function PublicMark({ resource }: { readonly resource: Resource }) {
  if (!isPublic(resource)) return null;
  return (
    <>
      <span className="only-wide">
        <Opener resource={resource}>
          <Button look="quiet" size="small" icon="eye">
            {text.isPublic}
          </Button>
        </Opener>
      </span>
      <span className="only-small">
        <Opener resource={resource}>
          <Button look="quiet" size="small" icon="eye" label={text.isPublic} />
        </Opener>
      </span>
    </>
  );
}

function Opener({
  resource,
  children,
}: {
  readonly resource: Resource;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover label={text.title} isOpen={isOpen} onOpenChange={setOpen} button={children}>
      <Rules resource={resource} onClose={() => setOpen(false)} />
    </Popover>
  );
}

/** Marks a field that is visible to anyone who can see the record. */
export function PublicFieldMark({
  resource,
  field,
}: {
  readonly resource: Resource;
  readonly field: Field;
}) {
  if (!isPublicField(resource, field)) return null;
  return (
    <span className="public-field" title={text.anyone}>
      <Icon name="eye" />
      <span className="hidden">{text.anyone}</span>
    </span>
  );
}
