import { useLocation } from "wouter";
import { useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import { isStatus, sentence } from "../../api/client/errors.js";
import type { Resource } from "../../api/client/types.js";
import { listPath, may, thing, things } from "../../api/records/descriptors.js";
import { here, openTab } from "../../browser/address/address.js";
import { withAction } from "../../browser/address/arrival-action.js";
import { usedResources } from "../../browser/storage/recent.js";
import { Icon, type IconName } from "../../parts/button/icon.js";
import { useToast } from "../../parts/overlay/toast.js";
import { enJump } from "../../text/en/jump.js";
import { type Layer, useOwnEntries } from "../oneself.js";
import { matches, type Place, type PlaceGroup } from "./place.js";

const text = enJump;

/** The number of actions offered before any input: those of the resource used last. */
const offered = 3;

/** The API's reference page; the server's settings decide whether it exists. */
const referencePath = "/_service/docs";

/** Actions available anywhere: create, import and export records, choose the theme, sign out. */
export function useActions(wanted: string, onLayer: (layer: Layer) => void): PlaceGroup {
  const { user, resources, operator } = useSession();
  const [, go] = useLocation();
  const own = useOwnEntries(onLayer);
  const toast = useToast();
  const openReference = async () => {
    try {
      await call("HEAD", referencePath);
      openTab(`/api${referencePath}`);
    } catch (error) {
      toast(isStatus(error, 404) ? text.noReference : sentence(error));
    }
  };
  const term = wanted.trim();
  const used = usedResources(user.id);
  const rank = ({ name }: Resource) => (used.includes(name) ? used.indexOf(name) : used.length);
  const ofRecords = resources
    .toSorted((one, other) => rank(one) - rank(other))
    .flatMap((resource) => {
      const list = listPath(resource);
      // The open list is exported with its current filters.
      const open = here().split("?")[0] === list ? here() : list;
      return [
        ...(may(resource, "create")
          ? [
              action("plus", text.new(thing(resource)), () => go(`${list}/new`)),
              action("save", text.import(things(resource)), () => go(`${list}/import`)),
            ]
          : []),
        ...(may(resource, "list")
          ? [
              action("out", text.export(things(resource)), () =>
                go(open, { state: withAction("export") }),
              ),
            ]
          : []),
        ...(operator && may(resource, "list")
          ? [action("code", text.api(resource.label), () => go(open.replace(list, `${list}/api`)))]
          : []),
      ];
    });
  const ofOneself = own.map(({ id, label, onAction }) => action(icons[id], label, onAction));
  const reference = action("book", text.reference, () => void openReference());
  const places =
    term === ""
      ? ofRecords.slice(0, offered)
      : [...ofRecords, ...ofOneself, reference].filter(({ label }) => matches(label, term));
  return { key: "actions", name: text.actions, places };
}

const icons: Readonly<Record<string, IconName>> = {
  system: "screen",
  light: "sun",
  dark: "moon",
  messages: "clock",
  keys: "key",
  out: "leave",
};

function action(icon: IconName = "right", label: string, onAction: () => void): Place {
  return { key: `do ${label}`, label, icon: <Icon name={icon} />, onAction };
}
