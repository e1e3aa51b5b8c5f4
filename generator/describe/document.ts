import type { EmittedFile } from "../emit/file.js";
import type { Schema } from "../kind/kind.js";
import type { Model } from "../model/model.js";
import { accountOperations, accountSchemas } from "./accounts.js";
import { authOperations, authTag } from "./auth.js";
import { batchOperation, batchSchemas } from "./batch.js";
import { sharedExamples, value } from "./examples.js";
import { sharedBodies } from "./files.js";
import { jsonText } from "./json-text.js";
import { asMarkdown } from "./markdown.js";
import { describedNames } from "./names.js";
import { pathsOf } from "./operation.js";
import { type NamesOf, sharedParameters } from "./parameters.js";
import { ignoredSchema, writeExample } from "./record.js";
import { sharedResponses } from "./refusals.js";
import { resourceOperationsOf, sharedHeaders } from "./resource.js";
import {
  countsSchema,
  groupsSchema,
  resourceSchemas,
  sharedQuerySchema,
} from "./resource-schemas.js";
import { serviceOperations, serviceTag } from "./service.js";
import { shareParts } from "./share.js";
import { sharedSchemas } from "./shared-schemas.js";
import { conditionSchemaNames, sharedConditions, sharedEnums } from "./where.js";

/** `openapi.json`: every route of the app but its own ones. `title` is the name of its package. */
export function emitOpenapi(model: Model, title: string): EmittedFile {
  return { path: "generated/openapi.json", text: jsonText(openapi(model, title)) };
}

function openapi(model: Model, title: string): Schema {
  const common = {
    ...sharedSchemas,
    ...accountSchemas,
    ...batchSchemas(model),
    Counts: countsSchema,
    Groups: groupsSchema,
    AnyQuery: sharedQuerySchema,
    Ignored: ignoredSchema,
  };
  const enums = sharedEnums(model);
  const ofEnums = Object.fromEntries([...enums.values()].map(({ name, schema }) => [name, schema]));
  const names = describedNames(model, [
    ...[common, ofEnums].flatMap(Object.keys),
    ...conditionSchemaNames(),
  ]);
  const described = [...names];
  const byName = new Map(described.map(([{ name }, own]) => [name, own]));
  const namesOf: NamesOf = (name) => byName.get(name) ?? null;
  const operations = [
    ...described.flatMap(([resource, own]) => resourceOperationsOf(resource, own, namesOf)),
    ...authOperations(),
    ...serviceOperations(),
    batchOperation,
    ...accountOperations(),
  ];
  const shared = shareParts(operations, {
    parameters: sharedParameters,
    responses: sharedResponses(),
  });
  return {
    openapi: "3.1.1",
    info: { title, version: "1" },
    servers: [{ url: "/api" }],
    security: [{ bearerAuth: [] }],
    tags: [
      ...model.resources.map(({ name, label }) => ({ name, description: asMarkdown(label) })),
      authTag,
      serviceTag,
    ],
    paths: pathsOf(shared.operations),
    components: {
      securitySchemes: { bearerAuth: { type: "http", scheme: "bearer" } },
      parameters: shared.parameters,
      headers: sharedHeaders,
      requestBodies: sharedBodies,
      examples: {
        ...Object.fromEntries(
          described.map(([resource, own]) => [own.Record, value(writeExample(resource))]),
        ),
        ...sharedExamples(model, operations),
      },
      responses: shared.responses,
      schemas: {
        ...Object.assign(
          {},
          ...described.map(([resource, own]) => resourceSchemas(resource, own, { namesOf, enums })),
        ),
        ...common,
        ...sharedConditions(model),
        ...ofEnums,
      },
    },
  };
}
