import { Dialog } from "../parts/overlay/dialog.js";
import { appName } from "../parts/page/page.js";
import { Navigation } from "./navigation.js";

/** The navigation of a small screen. */
export default function Drawer({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={appName()} look="drawer" onClose={onClose} closesOutside>
      <Navigation />
    </Dialog>
  );
}
