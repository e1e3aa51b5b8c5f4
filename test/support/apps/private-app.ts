import type { AppOptions } from "service-runtime/app";
import type { FileDetails } from "../../../runtime/uploads/index.js";
import { type Download, download } from "../storage/files.js";
import { startWrittenApp, type WrittenApp, type WrittenFiles } from "./written-app.js";

/** Documents of their owners, which clerks see too: each with private and public files. */
export const privateDescriptors = new Map([
  [
    "documents.yaml",
    `owner: accountId
access: { read: [clerk, owner], create: signed-in, update: owner, delete: owner }
fields:
  title: { type: string }
  scan: { type: image, profile: product, private: true }
  paper: { type: file, private: true }
  note: { type: file, private: true, access: { read: [clerk], write: signed-in } }
  cover: { type: image }
  parentId: { type: belongsTo, resource: documents, inverse: parts }
  accountId: { type: belongsTo, resource: users, required: true }
`,
  ],
  [
    "labels.yaml",
    "fields:\n  url: { type: string }\n  documentId: { type: belongsTo, resource: documents, inverse: labels }\n",
  ],
  [
    "letters.yaml",
    "fields: { title: { type: string }, paper: { type: file, private: true }, raw: { type: file, accept: any } }\n",
  ],
  [
    "teams.yaml",
    "owner: { link: id, through: memberships, founder: lead }\naccess: { read: owner, create: signed-in, write: owner.lead }\nfields: { name: { type: string } }\n",
  ],
  [
    "memberships.yaml",
    `owner: { link: teamId, through: memberships }
access: { read: owner, write: owner.lead }
unique: [[teamId, userId]]
fields:
  teamId: { type: belongsTo, resource: teams, required: true, onDelete: cascade }
  userId: { type: belongsTo, resource: users, required: true }
  role: { type: enum, values: [lead, member], required: true, default: member }
`,
  ],
  [
    "plans.yaml",
    `owner: { link: teamId, through: memberships }
access: { read: owner, write: owner }
fields:
  drawing: { type: image, private: true }
  teamId: { type: belongsTo, resource: teams, required: true, onDelete: cascade }
`,
  ],
]);

export const privateSettings = `auth: { check_breached_passwords: false, operators: [clerk] }
server: { host: 127.0.0.1, mcp: true }
`;

export function startPrivateApp(
  options: AppOptions = {},
  files: Partial<WrittenFiles> = {},
): Promise<WrittenApp> {
  return startWrittenApp({
    descriptors: privateDescriptors,
    settings: privateSettings,
    options,
    ...files,
  });
}

/** Requests a file, with a token if one is given. */
export function fetchFile(
  app: Pick<WrittenApp, "url">,
  path: string,
  { token, method = "GET", headers = {} }: FetchOptions = {},
): Promise<Download> {
  const sent = token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` };
  return download(app.url, path, sent, method);
}

interface FetchOptions {
  readonly token?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The details of a file in an answer. */
export function detailsIn(record: object, field: string): FileDetails {
  const details: unknown = Object.entries(record).find(([key]) => key === `${field}File`)?.[1];
  if (typeof details !== "object" || details === null) throw new Error(`no ${field}File`);
  return details as FileDetails;
}

/** The path of a file without its signature. */
export function bare(url: string): string {
  return url.split("?")[0] ?? "";
}
