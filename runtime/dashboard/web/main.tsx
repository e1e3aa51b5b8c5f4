import { createRoot } from "react-dom/client";
import "./theme/tokens.css";
import "./theme/base.css";
import { App } from "./app.js";
import {
  beginAtSignIn,
  isSignedOutPage,
  takeMailedLink,
  takeProviderAnswer,
} from "./browser/address/address.js";
import { keepFocus } from "./browser/keyboard/focus.js";
import { applyTheme } from "./browser/storage/preferences.js";
import { isAccountNoted } from "./browser/storage/tabs.js";

takeMailedLink();
takeProviderAnswer();
// A page cached before a sign-in is marked as signed out too, but then an account is stored.
if (isSignedOutPage() && !isAccountNoted()) beginAtSignIn();
applyTheme();
keepFocus();
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);
