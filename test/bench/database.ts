import { startEmbedded } from "../../bin/embedded/load.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { onClose } from "./closing.js";

/** Starts a PostgreSQL that nobody else uses and gives its address; `close` removes all of it. */
export async function startDatabase(): Promise<string> {
  const root = makeAppFolder();
  onClose(() => removeAppFolder(root));
  const starting = startEmbedded({ root, settings });
  onClose(() =>
    starting.then(
      (embedded) => embedded.stop(),
      () => {},
    ),
  );
  return (await starting).url;
}

/**
 * As a server of a few gigabytes would be set up, so that the references count in memory too: a gigabyte for each of the
 * five databases of a million records. With one for all, each round began with reading what the others had displaced.
 * Nothing of what PostgreSQL does now and then may strike one server and spare another: the benchmark itself vacuums and
 * writes to the disk between the cases.
 */
const settings = {
  shared_buffers: "5GB",
  autovacuum: "off",
  checkpoint_timeout: "1h",
  max_wal_size: "16GB",
};
