import type { Schema } from "../kind/kind.js";
import { groupedOperation, type ServiceMethod, serviceMethods } from "../model/operations.js";
import { jobOperations } from "./accounts/jobs.js";
import type { AccountMethod } from "./accounts/operators.js";
import { homeOperations } from "./home.js";
import {
  emptyAnswer,
  jsonAnswer,
  listSchema,
  type Operation,
  objectSchema,
  schemaRef,
  string,
} from "./operation.js";
import { healthOperations, statusOperation } from "./status.js";
import { viewOperations } from "./views.js";

/** Capitalized, unlike the tags of resources. */
export const serviceTagName = "Service";
export const serviceTag: Schema = {
  name: serviceTagName,
  description: "The service itself, and files",
};

/** The parts of an operation that are specific to it. */
type Described = Pick<Operation, "summary" | "answers"> & Partial<Operation>;

/** The methods of `service` that are not described in `accounts/`. */
type OtherMethod = Exclude<ServiceMethod, AccountMethod>;

const described: Readonly<Record<OtherMethod, Described>> = {
  ping: {
    summary: "Whether the service responds",
    isPublic: true,
    answers: {
      200: jsonAnswer("Version and installation.", objectSchema({ service: string, app: string })),
    },
    // The linter requires a refusal for each operation, and this one has no other.
    refusals: ["NotAcceptable"],
  },
  resources: {
    summary: "The descriptors of all resources",
    answers: { 200: jsonAnswer("The descriptors.", listSchema(schemaRef("Descriptor"))) },
  },
  profiles: {
    summary: "The profiles by which images are processed",
    answers: { 200: jsonAnswer("The profiles.", listSchema(schemaRef("ImageProfile"))) },
  },
  ...viewOperations,
  status: statusOperation,
};

const file: Schema = { content: { "*/*": { schema: {} } } };

/** The operation that returns a stored file as bytes, not JSON. */
const getFile: Operation = {
  id: "getServiceFile",
  method: "get",
  path: "/_service/files/{key}",
  tag: serviceTagName,
  summary: "A stored file, or a part of it",
  isPublic: true,
  parameters: [
    {
      name: "key",
      in: "path",
      required: true,
      description: "The storage key, with its slashes.",
      schema: string,
      "x-multi-segment": true,
    },
    {
      name: "until",
      in: "query",
      description: "For a private file: when its signed URL expires, in seconds since 1970.",
      schema: { type: "integer" },
    },
    {
      name: "signature",
      in: "query",
      description:
        "The signature of a private file's URL. Without it, access depends on the caller's token.",
      schema: string,
    },
    {
      name: "redirect",
      in: "query",
      description: "false: the file itself, instead of a redirect to the bucket.",
      schema: { type: "string", enum: ["false"] },
    },
    { name: "Range", in: "header", schema: string },
    { name: "If-Range", in: "header", schema: string },
    { name: "If-None-Match", in: "header", schema: string },
  ],
  answers: {
    200: { description: "The file.", ...file },
    206: { description: "The requested range.", ...file },
    302: {
      ...emptyAnswer(
        "With `uploads.private_redirect`: redirects to the private file in the bucket. The URL is valid for as long as the signature, or with a token for `uploads.private_seconds`.",
      ),
      headers: { Location: { schema: string } },
    },
    304: emptyAnswer("The file still has the ETag that was sent."),
  },
  refusals: ["NotFound", "OutOfRange"],
};

const getOpenapi: Operation = {
  id: "getServiceOpenapi",
  method: "get",
  path: "/_service/openapi.json",
  tag: serviceTagName,
  summary: "This document",
  description: "In development it needs no token.",
  answers: { 200: jsonAnswer("The document.", { type: "object" }) },
  refusals: ["NotFound"],
};

const page: Pick<Operation, "method" | "tag" | "isPublic" | "refusals"> = {
  method: "get",
  tag: serviceTagName,
  isPublic: true,
  refusals: ["NotFound"],
};

const getDocs: Operation = {
  ...page,
  id: "getServiceDocs",
  path: "/_service/docs",
  summary: "A page that shows this document",
  description: "In development, or with `server.docs: true`.",
  answers: { 200: { description: "The page.", content: { "text/html": { schema: string } } } },
};

const getDocsFile: Operation = {
  ...page,
  id: "getServiceDocsFile",
  path: "/_service/docs/{file}",
  summary: "A script or style sheet of that page",
  parameters: [{ name: "file", in: "path", required: true, schema: string }],
  answers: { 200: { description: "The file.", ...file } },
};

/** Returns the operations below `/_service` that do not belong to a resource. */
export function serviceOperations(): readonly Operation[] {
  const methods = Object.keys(described) as OtherMethod[];
  return [
    ...methods.map((each): Operation => {
      const [method = "", path = ""] = serviceMethods[each].split(" ");
      const own = described[each];
      const id = groupedOperation(each, "Service");
      return {
        id,
        method: method.toLowerCase() as Operation["method"],
        path,
        tag: serviceTagName,
        refusals: [],
        ...own,
        ...(own.body === undefined ? {} : { example: id }),
      };
    }),
    ...healthOperations,
    getFile,
    getOpenapi,
    getDocs,
    getDocsFile,
    ...homeOperations(serviceTagName),
    ...jobOperations(serviceTagName),
  ];
}
