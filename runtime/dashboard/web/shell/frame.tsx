import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import "./frame.css";
import { mainKey } from "../browser/keyboard/free-keys.js";
import { useOpenKey } from "../browser/keyboard/linked.js";
import { holdTyping } from "../browser/keyboard/typed-ahead.js";
import { prefer, preference } from "../browser/storage/preferences.js";
import { Button } from "../parts/button/button.js";
import { lazyPart } from "../parts/page/lazy-part.js";
import { appName, Mark } from "../parts/page/page.js";
import { en } from "../text/en/en.js";
import { useUndoKey } from "../undo/undo-key.js";
import { useFrameKeys } from "./frame-keys.js";
import { Navigation } from "./navigation.js";
import { type Layer, Oneself } from "./oneself.js";

interface LayerProps {
  readonly onClose: () => void;
  /** Opens another overlay instead of this one. */
  readonly onLayer: (layer: Layer) => void;
}

const leave = ({ onClose }: LayerProps) => onClose();
const Jump = lazyPart<LayerProps>({ load: () => import("./jump/jump.js"), leave });
const Drawer = lazyPart<LayerProps>({ load: () => import("./drawer.js"), leave });
const Keys = lazyPart<LayerProps>({ load: () => import("./keys.js"), leave });
const Messages = lazyPart<LayerProps>({ load: () => import("./messages.js"), leave });

/** Preloads the overlays, so that they also open without a network; on phones, this includes the menu. */
export function preloadLayers(): void {
  for (const { preload } of [Drawer, Jump, Keys, Messages]) preload();
}

const text = en.frame;

/** The frame of every screen: the sidebar or top bar, and one scrolling area. */
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
  // The pressed button is hidden: its counterpart gets the focus.
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
  useUndoKey();
  useOpenKey();
  // biome-ignore lint/correctness/useExhaustiveDependencies: going to another page closes what covers this one
  useEffect(() => setOpen(null), [path]);
  const layer = { onClose: () => setOpen(null), onLayer: setOpen };

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
      {open === "jump" ? <Jump {...layer} /> : null}
      {open === "menu" ? <Drawer {...layer} /> : null}
      {open === "messages" ? <Messages {...layer} /> : null}
      {open === "keys" ? <Keys {...layer} /> : null}
    </div>
  );
}

/** Whether the window is wide enough for a sidebar. */
function isWide(): boolean {
  return matchMedia("(min-width: 64rem)").matches;
}
