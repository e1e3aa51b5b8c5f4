import { Component, type ReactNode, useEffect, useRef } from "react";
import { en } from "../../text/en/en.js";
import { Button } from "../button/button.js";
import "./card.css";
import { Icon } from "../button/icon.js";
import { Notice } from "../status/notice.js";
import "./page.css";
import "./signed-out.css";
import "../status/tag.css";

/** Sets the window's title to the page's name while the page is open. */
export function useTitle(page: string): void {
  useEffect(() => {
    document.title = en.common.title(page, appName());
  }, [page]);
}

export function appName(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? "";
}

/** The page's `h1`. It gets the focus after navigation, so that a screen reader announces the page. */
export function Title({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(children);
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement === null) {
      heading.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} dir="auto">
      {children}
    </h1>
  );
}

/** The logo, or the first letter of the app's name. */
export function Mark() {
  const logo = document.querySelector<HTMLLinkElement>('link[rel="icon"][data-logo]')?.href;
  return (
    <span className="mark" aria-hidden="true">
      {logo === undefined ? [...appName()][0]?.toLocaleUpperCase() : <img src={logo} alt="" />}
    </span>
  );
}

/** A page for signed-out users: a narrow centered column, with links to the other such pages below. */
export function SignedOutPage({
  title,
  text,
  children,
  foot,
}: {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  readonly foot?: ReactNode;
}) {
  return (
    <div className="signed-out">
      <main>
        <div className="stack near">
          <Mark />
          <Title>{title}</Title>
          {text === undefined ? null : <p className="muted">{text}</p>}
        </div>
        {children}
      </main>
      <footer className="small muted">{foot}</footer>
    </div>
  );
}

/**
 * Gray bars in the shape of the loading content. They appear after a short delay, so that fast responses do not
 * flicker.
 */
export function Skeleton({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="hidden">{en.common.loading}</span>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
        <span key={at} className="line" />
      ))}
    </div>
  );
}

/** The page while a screen's script is loading. */
export function Waiting() {
  return (
    <div className="content">
      <Skeleton />
    </div>
  );
}

export function Failure({
  text,
  onRetry,
}: {
  readonly text: string;
  readonly onRetry?: () => void;
}) {
  return (
    <div role="alert" className="stack near">
      <Notice look="bad">
        <p>{text}</p>
      </Notice>
      {onRetry === undefined ? null : (
        <div>
          <Button onPress={onRetry}>{en.common.retry}</Button>
        </div>
      )}
    </div>
  );
}

export function Avatar({
  name,
  url,
  isBig = false,
}: {
  readonly name: string;
  readonly url?: string | undefined;
  readonly isBig?: boolean;
}) {
  return (
    <span className={isBig ? "avatar big" : "avatar"} aria-hidden="true">
      {url === undefined ? name : <img src={url} alt="" />}
    </span>
  );
}

export function Tag({
  look,
  dot,
  children,
}: {
  readonly look?: "good" | "warn" | "bad" | "mine";
  /** One of four calm hues, by the position of a value and not by its meaning. */
  readonly dot?: number;
  readonly children: ReactNode;
}) {
  return (
    <span className={`tag ${look ?? ""} ${dot === undefined ? "" : `dot d${dot}`}`}>
      {look === undefined ? null : (
        <Icon name={look === "good" || look === "mine" ? "check" : "alert"} />
      )}
      {children}
    </span>
  );
}

interface BoundaryProps {
  readonly children: ReactNode;
  /** Replaces the content after an error and can retry; by default, a message. */
  readonly instead?: (again: () => void) => ReactNode;
}

/** The error boundary of one screen or overlay, so that a bug in it does not break the others. */
export class Boundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  /** Loads content that failed to load offline when the network is back. */
  readonly #again = () => this.setState({ error: null });

  override componentDidUpdate() {
    if (this.state.error === null) removeEventListener("online", this.#again);
    else addEventListener("online", this.#again, { once: true });
  }

  override componentWillUnmount() {
    removeEventListener("online", this.#again);
  }

  override render() {
    const { children, instead } = this.props;
    if (this.state.error === null) return children;
    if (instead !== undefined) return instead(() => this.setState({ error: null }));
    return (
      <div className="content">
        <Failure text={navigator.onLine ? en.errors.cut : en.errors.away} />
        <div>
          <Button onPress={() => location.reload()}>{en.errors.reload}</Button>
        </div>
      </div>
    );
  }
}
