import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { pictureOf, useSession } from "../api/account/session.js";
import { call } from "../api/client/client.js";
import { ApiError } from "../api/client/errors.js";
import { viewing } from "../api/client/viewing.js";
import { unanswered } from "../browser/address/address.js";
import { askToLeave, letLeave } from "../browser/address/leaving.js";
import {
  applyTheme,
  type Preferences,
  prefer,
  preference,
} from "../browser/storage/preferences.js";
import { noteAccount } from "../browser/storage/tabs.js";
import { Button } from "../parts/button/button.js";
import { Icon } from "../parts/button/icon.js";
import { Menu, type MenuEntry } from "../parts/overlay/menu.js";
import { Avatar } from "../parts/page/page.js";
import { en } from "../text/en/en.js";
import { initials } from "../text/format.js";

const text = en.frame;

/** Overlays that cover the page. */
export type Layer = "jump" | "menu" | "keys" | "messages";

/** The button with the user's name, and the user's own menu on every screen. */
export function Oneself({
  onLayer,
  isShort = false,
}: {
  readonly onLayer: (layer: Layer) => void;
  readonly isShort?: boolean;
}) {
  const { user } = useSession();
  const [, go] = useLocation();
  const own = useOwnEntries(onLayer);
  const picture = <Avatar name={initials(user.name)} url={pictureOf(user)} />;
  return (
    <Menu
      label={text.you}
      button={
        isShort ? (
          <Button
            look="quiet"
            className="square"
            label={`${text.you}: ${user.name}, ${initials(user.name)}`}
          >
            {picture}
          </Button>
        ) : (
          <Button look="quiet" className="me">
            <span className="hidden">{`${text.you}: `}</span>
            {picture}
            <span className="grow">
              <span className="cut strong">{user.name}</span>
              <span className="cut tiny muted">{user.role ?? user.email}</span>
            </span>
            <Icon name="up" />
          </Button>
        )
      }
      entries={
        viewing() === null
          ? [{ id: "account", label: text.account, onAction: () => go("/account/profile") }, ...own]
          : own
      }
    />
  );
}

/** The menu entries for the theme, the frame's overlays, and signing out. */
export function useOwnEntries(onLayer: (layer: Layer) => void): readonly MenuEntry[] {
  // Read each time: the theme can be chosen in two places.
  const theme = preference("theme");
  const [, setTheme] = useState(theme);
  const signOut = useSignOut();
  const choose = (next: Preferences["theme"]) => {
    prefer("theme", next);
    applyTheme(next);
    setTheme(next);
  };
  return [
    ...(["system", "light", "dark"] as const).map((name) => ({
      id: name,
      label: `${text.theme}: ${text.themes[name]}`,
      isChosen: theme === name,
      onAction: () => choose(name),
    })),
    { id: "messages", label: text.messagesOpen, onAction: () => onLayer("messages") },
    { id: "keys", label: text.keys, onAction: () => onLayer("keys") },
    ...(viewing() === null
      ? [
          {
            id: "out",
            label: text.signOut,
            onAction: () => askToLeave("/sign-in", () => void signOut()),
          },
        ]
      : []),
  ];
}

function useSignOut(): () => Promise<void> {
  const [, go] = useLocation();
  const client = useQueryClient();
  return async () => {
    const isSignedOut = await call("DELETE", "/auth/token", {
      mayBeSignedOut: true,
    }).then(
      () => true,
      // Signed out all the same: the session had already ended.
      (error: unknown) => error instanceof ApiError && error.status < 500,
    );
    if (isSignedOut) noteAccount(null);
    letLeave();
    go("/sign-in", isSignedOut ? {} : { state: unanswered });
    client.clear();
  };
}
