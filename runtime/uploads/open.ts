import { ConfigError } from "../config/index.js";
import type { Context, Route } from "../http/index.js";
import { later } from "../loading/index.js";
import type {
  AppFiles,
  Caller,
  FileContent,
  FileTarget,
  ServerServices,
} from "../own-code/index.js";
import type { RequestState } from "../request/index.js";
import { openDecoder } from "./image/decoder/open.js";
import { type Moving, startMoving } from "./move/schedule.js";
import type { FileDetails } from "./objects/details.js";
import type { UploadFields } from "./objects/fields.js";
import { type FileJudge, privacyOf, privateFilesOf } from "./objects/private-files.js";
import { type UploadServices, uploadsFor } from "./objects/services.js";
import { newRemoval } from "./prune/remove-soon.js";
import { type Pruning, startPruning } from "./prune/schedule.js";
import type { AppFileTarget } from "./receive/app-file.js";
import type { UploadTarget } from "./receive/receive.js";
import { openResumable } from "./resumable/routes.js";
import { loadReceive, uploadRoutes } from "./routes.js";
import { openFileStores } from "./storage/open.js";
import { targetsOf } from "./target.js";

const loadAppFile = later(() => import("./receive/app-file.js"));
const loadReadAppFile = later(() => import("./serve/read-app-file.js"));

/** A target field, and the first 16 bytes of the file's digest. */
export interface KnownTarget extends FileTarget {
  readonly digest: Uint8Array;
}

/** The uploads of a running server. */
export interface Uploads {
  readonly routes: readonly Route[];
  /** Stores a request's body as a file of the target; see `receive`. */
  receive(context: Context, target: UploadTarget): Promise<FileDetails>;
  /** Returns file functions for app code that runs for the caller. */
  filesFor(request: RequestState | null, caller: Caller | null): AppFiles;
  /** Stores a file whose key contains its digest: see `hasDigest`. */
  storeKnown(content: FileContent, target: KnownTarget): Promise<string>;
  /** Throws if the storage cannot store files at the moment. */
  tryStorage(): Promise<void>;
  /**
   * Starts to delete unused uploads every hour, and to move the files of fields that have become private or public;
   * only one server at a time does this.
   */
  startPruning(): void;
  /**
   * Removes objects that belong to no upload in the background, such as the pictures of a deleted account. Objects that
   * the storage fails to remove are left to pruning.
   */
  removeObjects(): void;
  /** Stops pruning, moving and removing, the decoding process, and the connections to the storage. */
  close(): Promise<void>;
}

/** Opens the storage. Throws a `ConfigError` if a field needs an image profile that is not configured. */
export function openUploads(
  services: ServerServices,
  resources: readonly UploadFields[],
  judge: FileJudge,
): Uploads {
  const { uploads } = services.config;
  refuseUnknownProfiles(uploads.profiles, resources);
  const decoder = openDecoder(services.log);
  const privateFiles = privateFilesOf(resources, judge);
  const all: UploadServices = { ...services, ...openFileStores(uploads), decoder, privateFiles };
  let pruning: Pruning | null = null;
  let moving: Moving | null = null;
  const removal = newRemoval(all);
  const targetOf = targetsOf(resources);
  const resumable = openResumable(all, targetOf);

  async function store(
    request: RequestState | null,
    content: FileContent,
    target: AppFileTarget,
  ): Promise<string> {
    const { storeAppFile } = await loadAppFile();
    const services = uploadsFor(all, { services: { request } });
    return storeAppFile({ services, resources }, content, target);
  }

  return {
    routes: [...uploadRoutes(all, targetOf), ...resumable.routes],
    receive: async (context, target) => {
      const { receive } = await loadReceive();
      return receive(context, uploadsFor(all, context), target);
    },
    filesFor: (request, caller) => ({
      store: (content, target) => store(request, content, { ...target, caller }),
      read: async (key) => {
        const { readAppFile } = await loadReadAppFile();
        return readAppFile(uploadsFor(all, { services: { request } }), key);
      },
    }),
    storeKnown: (content, target) => store(null, content, { ...target, caller: null }),
    tryStorage: () => all.storage.tryOut(),
    startPruning: () => {
      pruning ??= startPruning(all);
      moving ??= startMoving(all, privacyOf(resources));
    },
    removeObjects: removal.removeSoon,
    close: async () => {
      await resumable.close();
      decoder.close();
      await removal.close();
      await pruning?.close();
      await moving?.close();
      await all.storage.close();
    },
  };
}

function refuseUnknownProfiles(profiles: object, resources: readonly UploadFields[]): void {
  const problems = resources.flatMap(({ resource, fields }) =>
    Object.entries(fields).flatMap(([field, takes]) =>
      takes.kind === "image" && !Object.hasOwn(profiles, takes.profile)
        ? [{ field: `${resource}.${field}`, profile: takes.profile }]
        : [],
    ),
  );
  if (problems.length === 0) return;
  throw new ConfigError(
    problems.map(({ field, profile }) => ({
      file: "service.yaml",
      line: 1,
      column: 1,
      message: `${field} needs the image profile ${profile}`,
      hint: "define it in uploads.profiles",
    })),
  );
}
