import { variable } from "../../adapters/aws/environment.ts";
import {
  findObject,
  getObjectRange,
  objectSize,
  streamObject,
  streamObjectRange,
  writeObject,
} from "../../adapters/aws/s3.ts";
import { parseJson } from "../../core/parse-json.ts";
import { objectKeys } from "../../names.ts";
import { type IndexReport, type ReadReport, reportName } from "../index/build/index-report.ts";
import { DeduplicationIndex, type IndexFiles } from "../index/deduplication-index.ts";
import type { LookUpOriginal } from "../index/look-up-original.ts";
import type { FinishJobPorts } from "../jobs/finish-job.ts";
import type { ReadCapturePorts } from "../jobs/read-capture.ts";
import type { KeptElsewhere } from "../wacz/kept-elsewhere.ts";
import type { PackCapturePorts } from "../wacz/pack-capture.ts";

const warcType = "application/warc";

/** Stores the files of jobs in the bucket of snapshots. */
export function jobFiles(): FinishJobPorts["files"] & Pick<ReadCapturePorts, "writePart"> {
  const bucket = variable("snapshotsBucket");
  return {
    writePart: (jobId, partId, content) =>
      writeObject(bucket, objectKeys.capturePart(jobId, partId), { content, contentType: warcType }),
    part: (jobId, partId) => streamObject(bucket, objectKeys.capturePart(jobId, partId)),
    async write(jobId, name, content) {
      const contentType = name.endsWith(".warc.gz") ? warcType : "text/plain; charset=utf-8";
      await writeObject(bucket, objectKeys.jobFile(jobId, name), { content, contentType });
    },
    has: async (jobId, name) => (await objectSize(bucket, objectKeys.jobFile(jobId, name))) !== undefined,
  };
}

/** Stores the files of ended jobs, and their packages. */
export function capturePackages(): Pick<PackCapturePorts, "files" | "packages"> {
  const bucket = variable("snapshotsBucket");
  const keyOf = (jobId: number, name: string) => objectKeys.jobFile(jobId, name);
  return {
    files: {
      async text(jobId, name) {
        const content = await findObject(bucket, keyOf(jobId, name));
        return content && Buffer.from(content).toString();
      },
      size: (jobId, name) => objectSize(bucket, keyOf(jobId, name)),
      content: (jobId, name, range) =>
        range === undefined
          ? streamObject(bucket, keyOf(jobId, name))
          : streamObjectRange(bucket, keyOf(jobId, name), [range.offset, range.length]),
    },
    packages: {
      has: async (jobId) => (await objectSize(bucket, objectKeys.capturePackage(jobId))) !== undefined,
      async write(jobId, content) {
        const contentType = "application/wacz";
        await writeObject(bucket, objectKeys.capturePackage(jobId), { content, contentType });
      },
      async writeElsewhere(jobId, elsewhere) {
        const content = [Buffer.from(JSON.stringify(elsewhere))];
        const contentType = "application/json";
        await writeObject(bucket, objectKeys.keptElsewhere(jobId), { content, contentType });
      },
      async elsewhere(jobId) {
        const content = await findObject(bucket, objectKeys.keptElsewhere(jobId));
        return ((content && parseJson(content)) as KeptElsewhere[] | undefined) ?? [];
      },
    },
  };
}

/** Reads stored responses, as the gate has captured them. */
export function capturedAnswers(): ReadCapturePorts["answers"] {
  const bucket = variable("responsesBucket");
  return {
    chunks: (key) => streamObject(bucket, key),
    async start(key, maxBytes) {
      const size = await objectSize(bucket, key);
      return getObjectRange(bucket, key, [0, Math.min(size ?? 0, maxBytes)]);
    },
  };
}

/**
 * Looks up originals in the deduplication indexes in the bucket of snapshots. A process reads the keys of
 * each shard only once.
 */
export function storedIndexes(): LookUpOriginal {
  const bucket = variable("snapshotsBucket");
  const opened = new Map<string, DeduplicationIndex>();
  return (built, url, digest) => {
    const index = opened.get(built.name) ?? new DeduplicationIndex(filesOf(bucket, built.name), built);
    opened.set(built.name, index);
    return index.lookup(url, digest);
  };
}

/** Reads the reports of deduplication indexes in the bucket of snapshots. */
export function indexReports(): ReadReport {
  const bucket = variable("snapshotsBucket");
  return async ({ name }) => {
    const content = await findObject(bucket, objectKeys.indexFile(name, reportName));
    return content && (parseJson(content) as IndexReport);
  };
}

function filesOf(bucket: string, indexName: string): IndexFiles {
  const keyOf = (name: string) => objectKeys.indexFile(indexName, name);
  return {
    read: (name) => findObject(bucket, keyOf(name)),
    readRange: (name, { offset, length }) => getObjectRange(bucket, keyOf(name), [offset, length]),
  };
}
