import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { HarvestJob } from "../definitions/job.ts";
import { timestamp14 } from "../warc/cdxj.ts";
import { blockOf, formatFields, formatHeader, recordEnd } from "../warc/warc-record.ts";
import type { RecordPlace } from "../warc/warc-writer.ts";
import type { CapturedPart, JobUrl } from "./captured-urls.ts";

/** A WARC file of a job: its warcinfo record, and the records of exchanges. */
export interface JobFile {
  name: string;
  /** A gzip member. */
  warcinfo: Uint8Array;
  members: { url: string; part: CapturedPart; place: RecordPlace }[];
}

/** The job whose WARC file has this name; undefined of a name that no job of ours gives. */
export function jobOfFile(name: string): number | undefined {
  const [, id] = /^INGATHER-(\d+)-\d{14}-\d+\.warc\.gz$/.exec(name) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** A file that has reached this size is closed. */
export const maxWarcBytes = 1_000_000_000;

/**
 * Which files the captured URLs of a job go into, in their order. The same URLs give the same files.
 * @see https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/#annex-d-informative-warc-file-size-and-name-recommendations
 */
export function planFiles(
  job: HarvestJob,
  urls: readonly JobUrl[],
  { userAgent, maxFileBytes = maxWarcBytes }: { userAgent: string; maxFileBytes?: number },
): JobFile[] {
  const files: JobFile[] = [];
  let sizeBytes = 0;
  for (const { url, outcome } of urls) {
    const part = outcome?.part;
    if (part === undefined) continue;
    let file = files.at(-1);
    if (file === undefined || sizeBytes >= maxFileBytes) {
      file = beginFile(job, { serial: files.length, userAgent });
      files.push(file);
      sizeBytes = file.warcinfo.byteLength;
    }
    const place = { filename: file.name, offset: sizeBytes, length: part.recordBytes };
    file.members.push({ url, part, place });
    sizeBytes += part.sizeBytes;
  }
  return files;
}

function beginFile(job: HarvestJob, { serial, userAgent }: { serial: number; userAgent: string }): JobFile {
  const name = nameOf(job, serial);
  const info = [
    ["software", "Ingather"],
    ["http-header-user-agent", userAgent],
    ["robots", "obey"],
    ["isPartOf", `${job.definitionId}, job ${job.id}`],
    ["format", "WARC File Format 1.1"],
  ] as const;
  const record = {
    type: "warcinfo",
    id: `urn:uuid:${uuidOf(name)}`,
    date: begunAt(job),
    contentType: "application/warc-fields",
    fields: [["WARC-Filename", name]],
    block: blockOf(formatFields(info)),
  } as const;
  const content = formatHeader(record) + formatFields(info) + recordEnd;
  return { name, warcinfo: gzipSync(content), members: [] };
}

function begunAt({ startedAt, createdAt }: HarvestJob): Date {
  return startedAt ?? createdAt;
}

function nameOf(job: HarvestJob, serial: number): string {
  return `INGATHER-${job.id}-${timestamp14(begunAt(job))}-${String(serial).padStart(5, "0")}.warc.gz`;
}

/**
 * The id of the warcinfo record that the records of a job name: that of its first file. A record is made before its file is
 * known; but for the file's name, all warcinfo records of a job say the same.
 */
export function warcinfoIdOf(job: HarvestJob): string {
  return `urn:uuid:${uuidOf(nameOf(job, 0))}`;
}

/** The bytes of a file. */
export async function* joinParts(
  { warcinfo, members }: JobFile,
  read: (partId: string) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield warcinfo;
  for (const { part } of members) yield* read(part.partId);
}

/** The same UUID for the same name. @see https://www.rfc-editor.org/rfc/rfc9562.html#name-uuid-version-8 */
function uuidOf(name: string): string {
  const hash = createHash("sha256").update(name).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
