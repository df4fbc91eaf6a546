import { variable } from "../../adapters/aws/environment.ts";
import {
  findObject,
  getObjectRange,
  isNoSuchKey,
  listObjects,
  streamObjectFrom,
  writeObject,
} from "../../adapters/aws/s3.ts";
import { InputError } from "../../core/errors.ts";
import { objectKeys } from "../../names.ts";
import type { WrittenFiles } from "../index/build/build-ports.ts";
import type { IndexBuildPorts } from "../index/build/index-build.ts";

/** Stores the files of jobs, of builds and of indexes in the bucket of snapshots. */
export function indexBuildFiles(): Pick<IndexBuildPorts, "filesOf" | "filesFor"> {
  const bucket = variable("snapshotsBucket");
  return {
    async filesOf(jobId) {
      const objects = await listObjects(bucket, objectKeys.jobFile(jobId, ""));
      return objects.map(({ key, sizeBytes, tag }) => ({ name: key, sizeBytes, version: tag }));
    },
    filesFor: (buildId) => ({
      input: ({ name }, start) => streamInput(bucket, name, start),
      work: filesIn(bucket, (name) => objectKeys.indexBuildFile(buildId, name)),
      index: filesIn(bucket, (name) => objectKeys.indexFile(buildId, name)),
    }),
  };
}

/** @throws InputError if a file was deleted after the build was planned; its job is then missing */
async function* streamInput(bucket: string, key: string, start: number): AsyncGenerator<Uint8Array> {
  try {
    yield* streamObjectFrom(bucket, key, start);
  } catch (error) {
    if (isNoSuchKey(error)) throw new InputError(key, undefined, "no longer exists");
    throw error;
  }
}

function filesIn(bucket: string, keyOf: (name: string) => string): WrittenFiles {
  return {
    read: (name) => findObject(bucket, keyOf(name)),
    async readInto(name, offset, target) {
      target.set(await getObjectRange(bucket, keyOf(name), [offset, target.length]));
    },
    async write(name, content) {
      await writeObject(bucket, keyOf(name), { content, contentType: "application/octet-stream" });
    },
  };
}
