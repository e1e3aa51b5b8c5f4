import { createRoot } from "react-dom/client";
import "./theme/tokens.css";
import "./theme/base.css";
import { App } from "./app.js";
import { takeMailedLink, takeProviderAnswer } from "./browser/address/address.js";
import { beginAtSignIn } from "./browser/address/begin.js";
import { keepFocus } from "./browser/keyboard/focus.js";
import { applyTheme } from "./browser/storage/preferences.js";

takeMailedLink();
takeProviderAnswer();
beginAtSignIn();
applyTheme();
keepFocus();
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);
