import type { S3Client } from "@aws-sdk/client-s3";
import type { Config } from "../../config/index.js";

export type Bucket = Extract<Config["uploads"]["storage"], { readonly driver: "s3" }>;

/** Timeouts for a bucket, in milliseconds; tests use shorter ones. */
export interface Patience {
  readonly connect: number;
  /** From the first byte of a request to the head of its response. A part of a file is one request. */
  readonly answer: number;
  /** Without a byte on the connection. It also ends a response whose reader takes 1.6 KiB per second or less. */
  readonly silence: number;
}

// A bucket that takes half a minute to respond is slow, but works.
export const usualPatience: Patience = { connect: 5_000, answer: 60_000, silence: 40_000 };

/** The client for a bucket, and the library's module. */
export interface Connection {
  readonly client: S3Client;
  readonly sdk: typeof import("@aws-sdk/client-s3");
  readonly Upload: typeof import("@aws-sdk/lib-storage").Upload;
}

/**
 * Loads the library, which takes a tenth of a second and 20 MB that servers without a bucket save. Sends nothing.
 * Without an access key the library uses the machine's identity.
 */
export async function connectTo(bucket: Bucket, patience: Patience): Promise<Connection> {
  const [sdk, { Upload }] = await Promise.all([
    import("@aws-sdk/client-s3"),
    import("@aws-sdk/lib-storage"),
  ]);
  const { endpoint, accessKeyId, secretAccessKey } = bucket;
  // Each reader of a file occupies a connection, and must not delay others.
  const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
  const client = new sdk.S3Client({
    region: bucket.region,
    forcePathStyle: bucket.forcePathStyle,
    ...(endpoint === null ? {} : { endpoint }),
    ...(accessKeyId === null || secretAccessKey === null
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }),
    // S3-compatible servers often refuse checksums other than MD5 and the signed SHA-256.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: patience.connect,
      requestTimeout: patience.answer,
      throwOnRequestTimeout: true,
      socketTimeout: patience.silence,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  return { client, sdk, Upload };
}

/** The connection for one span of a trace. The trace header is not signed, since proxies may change it. */
export function tracedBy(connection: Connection, traceparent: string | null): Connection {
  if (traceparent === null) return connection;
  const { client } = connection;
  const send = (command: Sendable, ...rest: unknown[]) => {
    command.middlewareStack.add(
      (next) => (args) => {
        const { request } = args;
        if (isWithHeaders(request)) request.headers.traceparent = traceparent;
        return next(args);
      },
      { step: "finalizeRequest", priority: "low", name: "traceparent" },
    );
    return Reflect.apply(client.send, client, [command, ...rest]);
  };
  return { ...connection, client: Object.create(client, { send: { value: send } }) };
}

/** The common type of all commands. */
type Sendable = Pick<S3Client, "middlewareStack">;

function isWithHeaders(request: unknown): request is { readonly headers: Record<string, string> } {
  return typeof request === "object" && request !== null && "headers" in request;
}
