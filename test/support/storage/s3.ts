import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import type { Bucket } from "../../../runtime/uploads/storage/s3-client.js";

/**
 * OpenStack Swift, from Debian's `python3-swift`: an object storage of production that speaks S3. It
 * checks signatures and the sizes of parts, knows ranges, uploads in parts, their list and their end, and
 * is ready in a second. s3rver of npm neither lists nor ends uploads in parts; Debian 12 has neither
 * MinIO nor moto, its rclone is older than rclone's S3 server, and Ceph's gateway needs a whole cluster.
 */
export interface S3Server {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  close(): Promise<void>;
}

/** Debian's Python, even if another one precedes it in the path. */
const python = "/usr/bin/python3";

export const hasSwift =
  spawnSync(python, ["-c", "import swift.common.middleware.s3api"]).status === 0;

/** `leastPart`: bytes of a part that is not the last, as S3 has it unless it is left out. */
export async function startS3Server(leastPart = 5 * 1024 * 1024): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), "swift-"));
  const accessKeyId = "shop:service";
  const secretAccessKey = "the-secret-of-the-tests";
  const script = fileURLToPath(new URL("s3-server.py", import.meta.url));
  const child = spawn(
    python,
    [script, join(folder, "data"), accessKeyId, secretAccessKey, `${leastPart}`],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const ended = once(child, "exit");
  const [port] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  if (child.exitCode !== null) throw new Error("the S3 server does not start");
  return {
    endpoint: `http://127.0.0.1:${port}`,
    accessKeyId,
    secretAccessKey,
    close: async () => {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Lines of `service.yaml`, below `uploads`, by which an app stores its files in a bucket of the server. */
export function storageSettings(
  { endpoint, accessKeyId, secretAccessKey }: S3Server,
  bucket: string,
): string {
  return `  storage:
    driver: s3
    bucket: ${bucket}
    endpoint: ${endpoint}
    force_path_style: true
    access_key_id: "${accessKeyId}"
    secret_access_key: "${secretAccessKey}"
`;
}

/** An existing bucket, and a client that reads it directly. */
export async function newBucket(server: S3Server, name: string) {
  const { endpoint, accessKeyId, secretAccessKey } = server;
  const bucket: Bucket = {
    driver: "s3",
    bucket: name,
    region: "us-east-1",
    endpoint,
    publicUrl: null,
    accessKeyId,
    secretAccessKey,
    forcePathStyle: true,
  };
  const client = new S3Client({
    region: "us-east-1",
    endpoint,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  await client.send(new CreateBucketCommand({ Bucket: name }));
  return { bucket, client };
}
