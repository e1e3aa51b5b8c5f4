import type { Caller, FileContent, FileTarget } from "../../own-code/index.js";
import { clientName } from "../../values/api/client-name.js";
import type { UploadFields } from "../objects/fields.js";
import type { UploadServices } from "../objects/services.js";
import { receiveIntoField } from "./into-field.js";
import { limitBytes } from "./limit.js";
import { checkName } from "./name.js";
import type { UploadTarget } from "./receive.js";

/** A target field, and the account that uploads the file. */
export interface AppFileTarget extends FileTarget {
  readonly caller: Caller | null;
  /** The digest of the content, if `hasDigest` must recognize the file. */
  readonly digest?: Uint8Array;
}

/** The storage, and the resources with file fields. */
interface AppFileRoom {
  readonly services: UploadServices;
  readonly resources: readonly UploadFields[];
}

/**
 * Stores content from app code as a file of the target, with the checks of an upload to that field. Resolves with the
 * storage key. Throws a `Refusal` with 413 or 422 like an upload, and rethrows errors of the stream; nothing is stored
 * then.
 */
export async function storeAppFile(
  { services, resources }: AppFileRoom,
  content: FileContent,
  { name: sent, caller, digest, ...wanted }: AppFileTarget,
): Promise<string> {
  const { resource, field, takes } = targetOf(resources, wanted);
  const name = checkName(sent);
  if (takes.kind === "image") services.decoder.prepare();
  const bytes = limitBytes(chunksOf(content), services.config.uploads.maxBytes);
  // With a custom sign-in, this may not be the id of an account.
  const accountId = caller?.accountId ?? "";
  const { key } = await receiveIntoField(services, takes, {
    ...{ resource, field, name, accountId, bytes, contentType: undefined },
    ...(digest && { digest }),
  });
  return key;
}

function targetOf(
  resources: readonly UploadFields[],
  { resource, field }: Pick<FileTarget, "resource" | "field">,
): UploadTarget {
  const found =
    resources.find((one) => one.resource === resource) ??
    resources.find((one) => clientName(one.resource) === resource);
  const takes =
    found !== undefined && Object.hasOwn(found.fields, field) ? found.fields[field] : undefined;
  if (found !== undefined && takes !== undefined) return { resource: found.resource, field, takes };
  throw new TypeError(`files.store: "${resource}" has no field "${field}" that takes files`);
}

/** The content in chunks of bytes; refuses a stream of anything else, such as text. */
async function* chunksOf(content: FileContent): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) {
    yield content;
    return;
  }
  for await (const chunk of content) {
    if (!(chunk instanceof Uint8Array))
      throw new TypeError("files.store: a stream must yield bytes");
    yield chunk;
  }
}
