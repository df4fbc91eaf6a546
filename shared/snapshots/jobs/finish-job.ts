import type { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { isRobots } from "../capture/prerequisite.ts";
import { jobMail } from "../definitions/definition-mail.ts";
import type { HarvestJob } from "../definitions/job.ts";
import type { SnapshotStore } from "../definitions/snapshot-store.ts";
import { formatCdxjLine, sortCdxj } from "../warc/cdxj.ts";
import { type jobMessage, startedJob } from "./begin-job.ts";
import type { CapturedUrls, JobUrl } from "./captured-urls.ts";
import { type JobFile, joinParts, planFiles } from "./job-files.ts";

export interface FinishJobPorts {
  snapshots: SnapshotStore;
  urls: CapturedUrls;
  files: JobFiles;
  events: { publish(event: JobEvent): Promise<void> };
  mailer: Mailer;
  recipients: string[];
  userAgent: string;
  clock: Clock;
}

interface JobEvent {
  type: "capture.done" | "capture.failed";
  changeId: string;
  detail: { jobId: number; definitionId: string; objects: number; bytes: number; files: string[] };
}

/** The files of a job, by their names in its folder. */
export interface JobFiles {
  part(jobId: number, partId: string): AsyncIterable<Uint8Array>;
  /** Writes a file, also a second time. */
  write(
    jobId: number,
    name: string,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void>;
  /** Whether a file is there: a repetition does not join it again. */
  has(jobId: number, name: string): Promise<boolean>;
}

/**
 * Ends a job whose URLs are all done: it joins the records into WARC files, and writes the CDXJ and the crawl log beside
 * them. Repeatable: the same URLs give the same files. A file that is there is not joined again, so that a function that ran
 * out of time goes on.
 */
export async function finishJob(
  { jobId }: z.output<typeof jobMessage>,
  ports: FinishJobPorts,
): Promise<void> {
  const { snapshots, files, clock } = ports;
  const found = await startedJob(jobId, snapshots);
  const urls = found && (await doneUrls(jobId, ports.urls));
  if (found === undefined || urls === undefined) return;
  const { job } = found;
  const plan = planFiles(job, urls, ports);
  for (const file of plan) {
    if (await files.has(jobId, file.name)) continue;
    await files.write(
      jobId,
      file.name,
      joinParts(file, (partId) => files.part(jobId, partId)),
    );
  }
  const cdxj = sortCdxj(plan.flatMap(({ members }) => members.map((member) => cdxjLine(member))));
  await files.write(jobId, "index.cdxj", lines(cdxj));
  await files.write(jobId, "crawl.log", lines(urls.flatMap(({ outcome }) => outcome?.log ?? [])));
  await end(
    job,
    {
      captured: urls.some(({ url, outcome }) => outcome?.part !== undefined && !isRobots(url)),
      files: plan.map(({ name }) => name),
      at: clock.now(),
    },
    ports,
  );
}

/**
 * The URLs of a job in the order of their answers.
 * @returns undefined while one is wanted, which the index of wanted ones may not show yet, and before its seeds are
 */
async function doneUrls(jobId: number, urls: CapturedUrls): Promise<JobUrl[] | undefined> {
  const all: JobUrl[] = [];
  for await (const page of urls.pages(jobId)) {
    if (page.some(({ state }) => state === "wanted")) return undefined;
    all.push(...page);
  }
  if (all.length === 0) return undefined;
  return all.sort((a, b) => ((a.outcome?.at ?? "") < (b.outcome?.at ?? "") ? -1 : 1));
}

async function end(
  job: HarvestJob,
  { captured, files, at }: { captured: boolean; files: string[]; at: Date },
  { snapshots, events, mailer, recipients }: FinishJobPorts,
): Promise<void> {
  const { id, definitionId } = job;
  const state = captured ? "done" : "failed";
  const comment = captured ? undefined : "no URL was answered";
  // Before the state changes: a repetition tells it again, under the same ids.
  const detail = { jobId: id, definitionId, objects: job.objects, bytes: job.bytes, files };
  await events.publish({ type: `capture.${state}`, changeId: `capture/${id}`, detail });
  const mail = jobMail(job, comment, recipients);
  if (mail !== undefined && mail.to.length > 0) await mailer.send(mail);
  await snapshots.changeJob(id, "started", {
    state,
    endedAt: at,
    hasCrawlLog: true,
    files,
    ...(comment !== undefined && { comment }),
  });
}

function cdxjLine({ url, part, place }: JobFile["members"][number]): string {
  return formatCdxjLine({
    url,
    date: new Date(part.date),
    status: part.status,
    contentType: part.contentType,
    isRevisit: part.isRevisit,
    digest: part.digest,
    place,
  });
}

function* lines(texts: readonly string[]): Generator<Uint8Array> {
  const batch = 1000;
  for (let at = 0; at < texts.length; at += batch) {
    yield Buffer.from(
      texts
        .slice(at, at + batch)
        .map((line) => `${line}\n`)
        .join(""),
    );
  }
}
