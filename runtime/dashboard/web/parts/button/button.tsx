import { type ReactNode, useId } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import "./button.css";
import { Icon, type IconName } from "./icon.js";

export interface ButtonProps {
  readonly children?: ReactNode;
  readonly id?: string;
  readonly look?: "primary" | "danger" | "quiet" | "quiet-danger";
  readonly size?: "small";
  readonly icon?: IconName;
  /** The accessible name if the button shows only an icon, or its text is not enough. */
  readonly label?: string;
  readonly type?: "submit";
  readonly isWide?: boolean;
  /** Busy: the button keeps its size, its text and the focus. */
  readonly isBusy?: boolean;
  /** Why the button is disabled; it stays reachable by keyboard. */
  readonly barred?: string | undefined;
  readonly className?: string;
  readonly onPress?: () => void;
  readonly slot?: string;
}

/** A button; its text is a verb, or a verb and a thing. */
export function Button(props: ButtonProps) {
  const {
    children,
    look,
    size,
    icon,
    label,
    type,
    isWide,
    isBusy,
    barred,
    className,
    onPress,
    slot,
  } = props;
  const isBarred = barred !== undefined;
  const reason = useId();
  const classes = [
    "button",
    look,
    size,
    isWide === true ? "wide" : undefined,
    children === undefined ? "square" : undefined,
    className,
  ];
  const button = (
    <AriaButton
      className={classes.filter((name) => name !== undefined).join(" ")}
      type={isBarred ? "button" : (type ?? "button")}
      data-pending={isBusy === true || undefined}
      {...(props.id === undefined ? {} : { id: props.id })}
      {...(label === undefined ? {} : { "aria-label": label })}
      {...(slot === undefined ? {} : { slot })}
      {...(isBarred || isBusy === true ? { "aria-disabled": "true" } : {})}
      {...(isBarred ? { "aria-describedby": reason } : {})}
      {...(onPress === undefined || isBarred || isBusy === true ? {} : { onPress })}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </AriaButton>
  );
  if (!isBarred) return button;
  return (
    <>
      {button}
      <span id={reason} hidden>
        {barred}
      </span>
    </>
  );
}
