import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from "@aws-sdk/client-s3";
import { openDisk } from "../../../runtime/uploads/storage/disk.js";
import { openS3 } from "../../../runtime/uploads/storage/s3.js";
import type { Storage } from "../../../runtime/uploads/storage/storage.js";
import { filesBelow } from "../../support/storage/files.js";
import { newBucket, startS3Server } from "../../support/storage/s3.js";

/** A storage, and a look at what it keeps past it. */
export interface Place {
  readonly storage: Storage;
  /** The keys of objects, and `unfinished` for each write under way; sorted. */
  contents(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function diskPlace(): Promise<Place> {
  const root = mkdtempSync(join(tmpdir(), "storage-"));
  const storage = openDisk(root);
  return {
    storage,
    contents: async () => contentsOf(root),
    close: async () => {
      await storage.close();
      rmSync(root, { recursive: true });
    },
  };
}

/** The files of a storage on disk, those under way as `unfinished`. */
export function contentsOf(root: string): readonly string[] {
  return filesBelow(root)
    .map((path) => (path.split("/").includes(".partial") ? "unfinished" : path))
    .sort();
}

export async function s3Place(): Promise<Place> {
  const server = await startS3Server();
  const { bucket, client } = await newBucket(server, "files");
  const storage = openS3(bucket, { maxBytes: 10_000_000 });
  return {
    storage,
    contents: () => objectsIn(client, bucket.bucket),
    close: async () => {
      await storage.close();
      client.destroy();
      await server.close();
    },
  };
}

/** The objects of a bucket, uploads in parts as `unfinished`. */
export async function objectsIn(client: S3Client, bucket: string): Promise<readonly string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
  return [...Contents.map(({ Key = "" }) => Key), ...Uploads.map(() => "unfinished")].sort();
}
