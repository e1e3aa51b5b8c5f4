import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** An `openapi.json`, prepared for checking answers. */
export interface OpenapiDocument {
  readonly operations: readonly DocumentOperation[];
  /** The operation of a request's path below `/api`, without its query; undefined without one. */
  find(method: string, path: string): DocumentOperation | undefined;
  /** Fault of a response; null if the document describes it. */
  mistake(operation: DocumentOperation, answer: JudgedAnswer): string | null;
  /** Whether a value has a schema of the document: `#/components/schemas/Product`. */
  holds(pointer: string, value: unknown): boolean;
  /** The pointers of schemas that do not compile. */
  compileAll(): readonly string[];
}

export interface DocumentOperation {
  readonly id: string;
  readonly method: string;
  /** `/products/{id}` */
  readonly path: string;
  readonly pointer: string;
  readonly value: Operation;
}

export interface JudgedAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  /** Undefined without a body, or with one that is not JSON. */
  readonly body: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Json[];
  readonly requestBody?: Json;
  readonly responses: Readonly<Record<string, Json>>;
}

type Json = Readonly<Record<string, unknown>>;

export interface ParsedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

/** What `default` means: refusals by the server itself. All others are listed with their operation. */
const ofServer = [406, 408, 414, 431];

/** So is a part of a body, though 400 has other uses. */
function refusesPart({ status, body }: JudgedAnswer): boolean {
  const error = (body as { readonly error?: unknown } | undefined)?.error;
  return status === 400 && error === "Send the whole body without a Content-Range";
}

export function openDocument(text: string): OpenapiDocument {
  const document: ParsedDocument = JSON.parse(text);
  const ajv = new Ajv2020({
    strict: false,
    // Else a field called `constructor` is there in every object.
    ownProperties: true,
    // A schema is compiled to judge a few answers: to make its code short and quick takes longer than running it.
    inlineRefs: false,
    code: { optimize: false },
    formats: { date: true, "date-time": true, uuid: true, email: true, uri: true },
  });
  ajv.addSchema(document, "openapi");
  const compiled = new Map<string, ValidateFunction>();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, value]) => ({
      id: value.operationId,
      method: method.toUpperCase(),
      path,
      pointer: `#/paths/${escaped(path)}/${method}`,
      value,
    })),
  );
  const matchers = operations.map((operation) => ({ operation, matches: matcher(operation.path) }));

  function validator(pointer: string): ValidateFunction {
    const known = compiled.get(pointer);
    if (known !== undefined) return known;
    const made = ajv.compile({ $ref: `openapi${pointer}` });
    compiled.set(pointer, made);
    return made;
  }

  function resolve(pointer: string, value: Json): { pointer: string; value: Json } {
    const { $ref } = value;
    if (typeof $ref !== "string") return { pointer, value };
    const parts = $ref.slice(2).split("/").map(unescaped);
    let found: unknown = document;
    for (const part of parts) found = (found as Json)[part];
    return { pointer: $ref, value: found as Json };
  }

  function mistake(operation: DocumentOperation, answer: JudgedAnswer): string | null {
    const { responses } = operation.value;
    const { status } = answer;
    const isOfServer =
      responses[status] === undefined && (ofServer.includes(status) || refusesPart(answer));
    const key = isOfServer ? "default" : `${status}`;
    const written = responses[key];
    if (written === undefined) return "it has no such status";
    const { pointer, value } = resolve(`${operation.pointer}/responses/${key}`, written);
    const content = value.content as Json | undefined;
    if (content === undefined) {
      return answer.body === undefined || answer.body === null ? null : "there should be no body";
    }
    if ("*/*" in content) return null;
    if ("text/html" in content) {
      return answer.contentType?.startsWith("text/html") ? null : "the body should be HTML";
    }
    if (!answer.contentType?.startsWith("application/json")) return "the body should be JSON";
    const validate = validator(`${pointer}/content/${escaped("application/json")}/schema`);
    if (validate(answer.body)) return null;
    const errors = (validate.errors ?? []).slice(0, 5);
    return errors.map(({ instancePath, message }) => `${instancePath} ${message}`).join("; ");
  }

  return {
    operations,
    // A literal segment wins over a parameter.
    find: (method, path) =>
      matchers
        .filter(({ operation, matches }) => operation.method === method && matches(path))
        .toSorted((a, b) => braces(a.operation.path) - braces(b.operation.path))[0]?.operation,
    mistake,
    holds: (pointer, value) => validator(pointer)(value),
    compileAll: () =>
      Object.keys(document.components.schemas).filter((name) => {
        try {
          validator(`#/components/schemas/${name}`);
          return false;
        } catch {
          return true;
        }
      }),
  };
}

function braces(path: string): number {
  return path.split("{").length;
}

/** The storage key alone may hold slashes. */
function matcher(template: string): (path: string) => boolean {
  const parts = template.split(/(\{[^}]+\})/).map((part) => {
    if (part === "{key}") return ".+";
    return part.startsWith("{") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  const pattern = new RegExp(`^${parts.join("")}$`);
  return (path) => pattern.test(path);
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")).replaceAll(
    "%7E",
    "~",
  );
}

function unescaped(part: string): string {
  return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
}
