import type { Schema } from "../kind/kind.js";
import { groupedOperation, type ServiceMethod, serviceMethods } from "../model/operations.js";
import {
  emptyAnswer,
  jsonAnswer,
  listSchema,
  type Operation,
  objectSchema,
  schemaRef,
  string,
} from "./operation.js";

/** In capitals, unlike the tags of resources. */
export const serviceTagName = "Service";
export const serviceTag: Schema = {
  name: serviceTagName,
  description: "The service itself, and files",
};

/** What differs from one operation to the next. */
type Described = Pick<Operation, "summary" | "answers"> & Partial<Operation>;

const described: Readonly<Partial<Record<ServiceMethod, Described>>> = {
  ping: {
    summary: "Whether the service answers",
    isPublic: true,
    answers: {
      200: jsonAnswer("Version and installation.", objectSchema({ service: string, app: string })),
    },
    // The linter requires a refusal for each operation; this one has no other.
    refusals: ["NotAcceptable"],
  },
  resources: {
    summary: "The descriptors of all resources",
    answers: { 200: jsonAnswer("The descriptors.", listSchema(schemaRef("Descriptor"))) },
  },
  profiles: {
    summary: "The ways in which images are processed",
    answers: { 200: jsonAnswer("The profiles.", listSchema(schemaRef("ImageProfile"))) },
  },
};

const file: Schema = { content: { "*/*": { schema: {} } } };

/** A stored file: bytes, not JSON. */
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
    { name: "Range", in: "header", schema: string },
    { name: "If-Range", in: "header", schema: string },
    { name: "If-None-Match", in: "header", schema: string },
  ],
  answers: {
    200: { description: "The file.", ...file },
    206: { description: "The range that was asked for.", ...file },
    304: emptyAnswer("The file has the tag that was sent."),
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

/** The operations below `/_service` that no resource has. */
export function serviceOperations(): readonly Operation[] {
  const methods = Object.keys(described) as ServiceMethod[];
  return [
    ...methods.flatMap((each) => {
      const own = described[each];
      if (own === undefined) return [];
      const [method = "", path = ""] = serviceMethods[each].split(" ");
      return [
        {
          id: groupedOperation(each, "Service"),
          method: method.toLowerCase() as Operation["method"],
          path,
          tag: serviceTagName,
          refusals: [],
          ...own,
        },
      ];
    }),
    getFile,
    getOpenapi,
    getDocs,
    getDocsFile,
  ];
}
