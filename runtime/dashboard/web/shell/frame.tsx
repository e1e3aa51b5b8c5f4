import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { pictureOf, useSession } from "../api/account/session.js";
import { call } from "../api/client/client.js";
import { ApiError } from "../api/client/errors.js";
import "./frame.css";
import { unanswered } from "../browser/address/address.js";
import { askToLeave, letLeave } from "../browser/address/leaving.js";
import { mainKey } from "../browser/keyboard/keys.js";
import { holdTyping } from "../browser/keyboard/typed-ahead.js";
import {
  applyTheme,
  type Preferences,
  prefer,
  preference,
} from "../browser/storage/preferences.js";
import { noteAccount } from "../browser/storage/tabs.js";
import { Button } from "../parts/button/button.js";
import { Icon } from "../parts/button/icon.js";
import { Menu } from "../parts/overlay/menu.js";
import { lazyPart } from "../parts/page/lazy-part.js";
import { Avatar, appName, Mark } from "../parts/page/page.js";
import { en } from "../text/en/en.js";
import { initials } from "../text/format.js";
import { useFrameKeys } from "./frame-keys.js";
import { Navigation } from "./navigation.js";

interface LayerProps {
  readonly onClose: () => void;
}

const leave = ({ onClose }: LayerProps) => onClose();
const Jump = lazyPart<LayerProps>({ load: () => import("./jump/jump.js"), leave });
const Drawer = lazyPart<LayerProps>({ load: () => import("./drawer.js"), leave });
const Keys = lazyPart<LayerProps>({ load: () => import("./keys.js"), leave });
const Messages = lazyPart<LayerProps>({ load: () => import("./messages.js"), leave });

const text = en.frame;

/** The frame of every screen: the side or top bar, and one scrolling part. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const [open, setOpen] = useState<Layer | null>(null);
  const [side, setSide] = useState(preference("side"));
  const [path, go] = useLocation();
  const fold = () => {
    const next = side === "open" ? "folded" : "open";
    prefer("side", next);
    setSide(next);
  };
  const shell = useRef<HTMLDivElement>(null);
  const shown = useRef(side);
  // The button that was pressed is hidden: its counterpart has the focus.
  useLayoutEffect(() => {
    if (shown.current === side) return;
    shown.current = side;
    const focused = document.activeElement;
    if (focused !== null && focused !== document.body && focused.checkVisibility()) return;
    const place = side === "open" ? ".side .fold" : ".bar .button";
    shell.current?.querySelector<HTMLElement>(place)?.focus();
  }, [side]);
  useLayoutEffect(() => (open === "jump" ? holdTyping(() => setOpen(null)) : undefined), [open]);
  useFrameKeys({
    jump: () => setOpen("jump"),
    help: () => setOpen("keys"),
    home: () => go("/"),
    fold,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a way to another page closes what lies over it
  useEffect(() => setOpen(null), [path]);

  return (
    <div ref={shell} className="shell" data-side={side}>
      <a className="button skip" href="#main">
        {en.common.skip}
      </a>
      <header className="bar">
        <Button
          look="quiet"
          icon="menu"
          label={en.common.appMenu}
          onPress={() => (isWide() ? fold() : setOpen("menu"))}
        />
        <Link className="brand grow" href="/">
          <Mark />
          <span className="cut">{appName()}</span>
        </Link>
        <Button look="quiet" icon="search" label={text.jumpTo} onPress={() => setOpen("jump")} />
        <Oneself onLayer={setOpen} isShort />
      </header>
      <header className="side">
        <div className="row">
          <Link className="brand grow" href="/">
            <Mark />
            <span className="cut">{appName()}</span>
          </Link>
          <Button
            look="quiet"
            size="small"
            className="fold"
            icon="fold"
            label={text.fold}
            onPress={fold}
          />
        </div>
        <Button className="jump" icon="search" onPress={() => setOpen("jump")}>
          {text.jump} <kbd>{text.jumpKeys(mainKey())}</kbd>
        </Button>
        <Navigation />
        <div className="foot">
          <Oneself onLayer={setOpen} />
        </div>
      </header>
      <main className="main" id="main" tabIndex={-1}>
        {children}
      </main>
      {open === "jump" ? <Jump onClose={() => setOpen(null)} /> : null}
      {open === "menu" ? <Drawer onClose={() => setOpen(null)} /> : null}
      {open === "messages" ? <Messages onClose={() => setOpen(null)} /> : null}
      {open === "keys" ? <Keys onClose={() => setOpen(null)} /> : null}
    </div>
  );
}

/** What lies over the page. */
type Layer = "jump" | "menu" | "keys" | "messages";

/** Wide enough for a side. */
function isWide(): boolean {
  return matchMedia("(min-width: 64rem)").matches;
}

function Oneself({
  onLayer,
  isShort = false,
}: {
  readonly onLayer: (layer: Layer) => void;
  readonly isShort?: boolean;
}) {
  const { user } = useSession();
  const [theme, setTheme] = useState(preference("theme"));
  const [, go] = useLocation();
  const client = useQueryClient();
  const picture = <Avatar name={initials(user.name)} url={pictureOf(user)} />;
  const choose = (next: Preferences["theme"]) => {
    prefer("theme", next);
    applyTheme(next);
    setTheme(next);
  };
  const signOut = async () => {
    const isSignedOut = await call("DELETE", "/auth/token", undefined, {
      mayBeSignedOut: true,
    }).then(
      () => true,
      // Refused: the session had ended before.
      (error: unknown) => error instanceof ApiError && error.status < 500,
    );
    if (isSignedOut) noteAccount(null);
    letLeave();
    go("/sign-in", isSignedOut ? {} : { state: unanswered });
    client.clear();
  };
  return (
    <Menu
      label={text.you}
      button={
        isShort ? (
          <Button look="quiet" className="square" label={`${text.you}, ${initials(user.name)}`}>
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
      entries={[
        { id: "account", label: text.account, onAction: () => go("/account/profile") },
        ...(["system", "light", "dark"] as const).map((name) => ({
          id: name,
          label: `${text.theme}: ${text.themes[name]}`,
          isChosen: theme === name,
          onAction: () => choose(name),
        })),
        { id: "messages", label: text.messagesOpen, onAction: () => onLayer("messages") },
        { id: "keys", label: text.keys, onAction: () => onLayer("keys") },
        {
          id: "out",
          label: text.signOut,
          onAction: () => askToLeave("/sign-in", () => void signOut()),
        },
      ]}
    />
  );
}
