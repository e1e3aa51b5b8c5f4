import { createRoot } from "react-dom/client";
import "./theme/tokens.css";
import "./theme/base.css";
import { App } from "./app.js";
import { takeMailedLink } from "./place/address.js";
import { keepFocus } from "./place/focus.js";
import { applyTheme } from "./place/preferences.js";

takeMailedLink();
applyTheme();
keepFocus();
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);
