import type { EmittedFile } from "../emit/file.js";
import type { Schema } from "../kind/kind.js";
import type { Model } from "../model/model.js";
import { authOperations, authTag } from "./accounts/auth.js";
import { jobSchemas } from "./accounts/jobs.js";
import { accountOperations, accountSchemas } from "./accounts/operators.js";
import { webhookOperations, webhookSchemas } from "./accounts/webhooks.js";
import { batchOperation, batchSchemas } from "./batch.js";
import { materialOf, sharedExamples, value, withAnswerExamples } from "./examples/examples.js";
import { sharedBodies } from "./files.js";
import { jsonText } from "./json-text.js";
import { asMarkdown } from "./markdown.js";
import { pathsOf } from "./operation.js";
import { refusalExamples, sharedResponses } from "./refusals.js";
import { aggregateSchemas, sharedAggregateSchema } from "./resource/aggregate.js";
import { changeOperations } from "./resource/changes.js";
import { historySchemas } from "./resource/history.js";
import { describedNames } from "./resource/names.js";
import { resourceOperationsOf, sharedHeaders } from "./resource/operations.js";
import { type NamesOf, sharedParametersOf } from "./resource/parameters.js";
import { ignoredSchema, recordExample, writeExample } from "./resource/record.js";
import {
  countsSchema,
  groupsSchema,
  hasRelations,
  resourceSchemas,
  sharedQuerySchema,
} from "./resource/schemas.js";
import { trashSchemas } from "./resource/trash.js";
import { conditionSchemaNames, sharedConditions, sharedEnums } from "./resource/where.js";
import { serviceOperations, serviceTag, serviceTagName } from "./service.js";
import { shareParts } from "./share.js";
import { sharedSchemas } from "./shared-schemas.js";
import { viewSchemas } from "./views.js";

/** Emits `openapi.json`: every route except app routes; `title` is the app's package name. */
export function emitOpenapi(model: Model, title: string): EmittedFile {
  return { path: "generated/openapi.json", text: jsonText(openapi(model, title)) };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: reads as the document, from top to bottom
function openapi(model: Model, title: string): Schema {
  const common = {
    ...sharedSchemas,
    ...accountSchemas,
    ...jobSchemas,
    ...webhookSchemas(model),
    ...historySchemas(model),
    ...trashSchemas(model),
    ...viewSchemas(model.resources.map(({ name }) => name)),
    ...batchSchemas(model),
    Counts: countsSchema,
    Groups: groupsSchema,
    AnyQuery: sharedQuerySchema,
    AnyAggregate: sharedAggregateSchema,
    Ignored: ignoredSchema,
  };
  const enums = sharedEnums(model);
  const ofEnums = Object.fromEntries([...enums.values()].map(({ name, schema }) => [name, schema]));
  const names = describedNames(model, [
    ...[common, ofEnums].flatMap(Object.keys),
    ...conditionSchemaNames(),
  ]);
  const described = [...names];
  const byName = new Map(
    described.map(([resource, own]) => [
      resource.name,
      { ...own, includes: hasRelations(resource) },
    ]),
  );
  const namesOf: NamesOf = (name) => byName.get(name) ?? null;
  const operations = [
    ...described.flatMap(([resource, own]) =>
      resourceOperationsOf(resource, own, { model, namesOf }),
    ),
    ...authOperations(),
    ...serviceOperations(),
    ...changeOperations(model),
    ...webhookOperations(model, serviceTagName),
    batchOperation(model),
    ...accountOperations(),
  ];
  const schemas: Readonly<Record<string, Schema>> = {
    ...Object.assign(
      {},
      ...described.map(([resource, own]) => ({
        ...resourceSchemas(resource, own, { namesOf, enums, model }),
        ...aggregateSchemas(resource, own, { model, namesOf }),
      })),
    ),
    ...common,
    ...sharedConditions(model),
    ...ofEnums,
  };
  const material = materialOf(model, {
    schemas,
    records: Object.fromEntries(
      described.map(([resource, own]) => [own.Record, recordExample(resource)]),
    ),
  });
  const answered = withAnswerExamples(operations, material);
  const shared = shareParts(answered.operations, {
    parameters: sharedParametersOf(model.resources),
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
        ...sharedExamples(operations, material),
        ...answered.examples,
        ...refusalExamples(),
      },
      responses: shared.responses,
      schemas,
    },
  };
}
