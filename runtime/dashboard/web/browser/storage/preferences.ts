/** What a browser stores between visits; never a token, a password or a code. */
export interface Preferences {
  readonly theme: "system" | "light" | "dark";
  /** The method that was used for the last sign-in. */
  readonly way: "password" | "passkey" | "link" | "code";
  readonly email: string;
  /** Whether single letters and symbols are shortcuts. */
  readonly letterKeys: "on" | "off";
  /** The state of the sidebar in a wide window. */
  readonly side: "open" | "folded";
}

const usual: Preferences = {
  theme: "system",
  way: "password",
  email: "",
  letterKeys: "on",
  side: "open",
};

const prefix = "dashboard:";

/** Returns a stored preference; its default if storage is full or blocked. */
export function preference<Name extends keyof Preferences>(name: Name): Preferences[Name] {
  try {
    return (localStorage.getItem(prefix + name) as Preferences[Name] | null) ?? usual[name];
  } catch {
    return usual[name];
  }
}

export function prefer<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  try {
    localStorage.setItem(prefix + name, value);
  } catch {
    // Ignored: only a convenience is lost.
  }
}

/** Applies the theme; called before the first paint, and when the theme changes. */
export function applyTheme(theme: Preferences["theme"] = preference("theme")): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

// Other values that a browser stores, by name. If storage is full or blocked, nothing is stored, and pages still work.

/** Stores a value. Returns false if that fails. */
export function keep(name: string, text: string): boolean {
  try {
    localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {
    // A blocked storage has nothing to remove.
  }
}

export function keptNames(prefix: string): readonly string[] {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
}
