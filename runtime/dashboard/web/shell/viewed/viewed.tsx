import { type ReactNode, useEffect, useState } from "react";
import { closeViewing } from "../../api/account/view-window.js";
import { onSessionEnd, serverTime } from "../../api/client/client.js";
import type { Me } from "../../api/client/types.js";
import { viewing } from "../../api/client/viewing.js";
import { Button } from "../../parts/button/button.js";
import { Icon } from "../../parts/button/icon.js";
import { SignedOutPage } from "../../parts/page/page.js";
import { enViewing } from "../../text/en/operators/viewing.js";
import "./viewed.css";

const text = enViewing;

/** Milliseconds between updates of the remaining time. */
const tick = 1_000;

/**
 * The window of an operator who views the app as another account: a banner above every screen, until the view ends. If
 * `me` is null or has no viewer, it was not requested with this view's token, and the view has ended.
 */
export default function Viewed({
  me,
  children,
}: {
  readonly me: Me | null;
  readonly children?: ReactNode;
}) {
  const [isOver, setOver] = useState(me?.viewer === undefined);
  const left = useTimeLeft();
  useEffect(() => {
    onSessionEnd(() => {
      setOver(true);
      return new Promise(() => {});
    });
    return () => onSessionEnd(null);
  }, []);
  if (isOver || left <= 0 || me === null) return <Over />;
  const end = () => {
    closeViewing();
    setOver(true);
  };
  return (
    <div className="viewed">
      <section className="banner" aria-label={text.banner}>
        <Icon name="eye" />
        <p className="grow">
          <span className="strong">{text.seeing(me.user.name)}</span>{" "}
          <span className="address">{me.user.email}.</span> <span>{text.readsOnly}</span>{" "}
          <span className="num">{text.left(left)}</span>
        </p>
        <Button size="small" onPress={end}>
          {text.end}
        </Button>
      </section>
      {children}
    </div>
  );
}

function Over() {
  return (
    <SignedOutPage title={text.over} text={text.overText}>
      <div>
        <Button look="primary" onPress={closeViewing}>
          {text.close}
        </Button>
      </div>
    </SignedOutPage>
  );
}

/** Milliseconds until the view expires. */
function useTimeLeft(): number {
  const [left, setLeft] = useState(timeLeft);
  useEffect(() => {
    const timer = setInterval(() => setLeft(timeLeft()), tick);
    return () => clearInterval(timer);
  }, []);
  return left;
}

function timeLeft(): number {
  return Date.parse(viewing()?.expiresAt ?? "") - Date.parse(serverTime());
}
