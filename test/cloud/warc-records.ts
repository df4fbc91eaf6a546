import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { WARCParser } from "warcio";

/** A record of a WARC file. */
export interface Captured {
  type: string;
  url: string;
  date: string;
  digest: string | undefined;
  id: string | undefined;
  refersTo: string | undefined;
  refersToUri: string | undefined;
  refersToDate: string | undefined;
  payload: Buffer;
}

/** The records of a job's WARC files, as another reader reads them. Each file must be whole. */
export async function recordsOf(job: { id: number; files: readonly string[] }): Promise<Captured[]> {
  const { getObject } = await import("../../shared/adapters/aws/s3.ts");
  const { bucketNames, objectKeys } = await import("../../shared/names.ts");
  const bucket = bucketNames.snapshots("000000000000", "eu-central-1");
  const records: Captured[] = [];
  for (const name of job.files) {
    const content = await getObject(bucket, objectKeys.jobFile(job.id, name));
    records.push(...(await readRecords(content)));
    const text = gunzipSync(content).toString("latin1");
    expect(text).toMatch(/^WARC\/1\.1\r\nWARC-Type: warcinfo\r\n/);
    const [, infoId] = /^WARC-Record-ID: (.*)\r$/m.exec(text) ?? [];
    const named = [...text.matchAll(/^WARC-Warcinfo-ID: (.*)\r$/gm)].map(([, id]) => id);
    expect(new Set(named)).toEqual(new Set([infoId]));
    expect(named.length).toBe([...text.matchAll(/^WARC\/1\.1\r$/gm)].length - 1);
  }
  return records;
}

export async function readRecords(content: Uint8Array): Promise<Captured[]> {
  const records: Captured[] = [];
  for await (const record of new WARCParser(
    (async function* () {
      yield content;
    })(),
  )) {
    const payload = Buffer.from(await record.readFully(false));
    const header = (name: string) => record.warcHeaders.headers.get(name) ?? undefined;
    records.push({
      type: record.warcType ?? "",
      url: record.warcTargetURI ?? "",
      date: record.warcDate ?? "",
      digest: header("WARC-Payload-Digest"),
      id: header("WARC-Record-ID"),
      refersTo: header("WARC-Refers-To"),
      refersToUri: header("WARC-Refers-To-Target-URI"),
      refersToDate: header("WARC-Refers-To-Date"),
      payload,
    });
  }
  return records;
}
