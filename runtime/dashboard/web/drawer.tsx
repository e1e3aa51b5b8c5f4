import { Navigation } from "./navigation.js";
import { Dialog } from "./parts/dialog.js";
import { appName } from "./parts/page.js";

/** The navigation of a small screen. */
export default function Drawer({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={appName()} look="drawer" onClose={onClose} closesOutside>
      <Navigation />
    </Dialog>
  );
}
