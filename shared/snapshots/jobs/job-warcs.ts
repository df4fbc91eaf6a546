import type { HarvestJob } from "../definitions/job.ts";
import { compress } from "../warc/gzip-member.ts";
import { warcinfoIdOf } from "../warc/record-ids.ts";
import { timestamp14 } from "../warc/timestamp.ts";
import type { RecordPlace } from "../warc/warc-writer.ts";
import { warcinfoRecord } from "../warc/warcinfo.ts";
import type { CapturedPart, JobUrl } from "./captured-urls.ts";

/** A WARC file of a job: its warcinfo record, and the records of exchanges. */
export interface JobWarc {
  name: string;
  /** The warcinfo record as a gzip member. */
  warcinfo: Uint8Array;
  members: { url: string; part: CapturedPart; place: RecordPlace }[];
}

/** Returns the job whose WARC file has this name; undefined if the name was not given by Ingather. */
export function jobOfWarc(name: string): number | undefined {
  const [, id] = /^INGATHER-(\d+)-\d{14}-\d+\.warc\.gz$/.exec(name) ?? [];
  return id === undefined ? undefined : Number(id);
}

/**
 * The approximate size of the bodies in one file. @see https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/#annex-d-informative-warc-file-size-and-name-recommendations
 */
const fileBytes = 1_000_000_000;

/**
 * Returns the number of the file for the next records of a job. It is known before the file is written,
 * because each record names the warcinfo record of its file. After a body of several gigabytes, some numbers
 * are skipped.
 */
export function nextWarcNumber({ bytes }: Pick<HarvestJob, "bytes">): number {
  return Math.floor(bytes / fileBytes);
}

/**
 * Plans the WARC files of a job: the captured URLs of each file, in order. The same URLs yield the same
 * files.
 */
export async function planWarcs(
  job: HarvestJob,
  urls: readonly JobUrl[],
  { userAgent }: { userAgent: string },
): Promise<JobWarc[]> {
  const captured = urls.flatMap(({ url, outcome }) => (outcome?.part ? [{ url, part: outcome.part }] : []));
  const byFile = [...Map.groupBy(captured, ({ part }) => part.fileNumber)].sort(([a], [b]) => a - b);
  return Promise.all(
    byFile.map(async ([number, own]) => {
      const name = nameOf(job, number);
      const warcinfo = await warcinfoOf(job, { number, userAgent });
      let offset = warcinfo.byteLength;
      const members = own.map(({ url, part }) => {
        const place = { filename: name, offset, length: part.recordBytes };
        offset += part.sizeBytes;
        return { url, part, place };
      });
      return { name, warcinfo, members };
    }),
  );
}

async function warcinfoOf(
  job: HarvestJob,
  { number, userAgent }: { number: number; userAgent: string },
): Promise<Uint8Array> {
  const record = warcinfoRecord({
    id: jobWarcinfoId(job, number),
    date: begunAt(job),
    filename: nameOf(job, number),
    info: [
      ["software", "Ingather"],
      ["http-header-user-agent", userAgent],
      ["robots", "obey"],
      ["isPartOf", `${job.definitionId}, job ${job.id}`],
    ],
  });
  return Buffer.concat(await compress(record));
}

function begunAt({ startedAt, createdAt }: HarvestJob): Date {
  return startedAt ?? createdAt;
}

function nameOf(job: HarvestJob, number: number): string {
  return `INGATHER-${job.id}-${timestamp14(begunAt(job))}-${String(number).padStart(5, "0")}.warc.gz`;
}

/** The id of the warcinfo record of a file, which its other records name. */
export function jobWarcinfoId(job: HarvestJob, fileNumber: number): string {
  return warcinfoIdOf(nameOf(job, fileNumber));
}

/** Yields the bytes of a file. */
export async function* joinParts(
  { warcinfo, members }: JobWarc,
  read: (partId: string) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield warcinfo;
  for (const { part } of members) yield* read(part.partId);
}
