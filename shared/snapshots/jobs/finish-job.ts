import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { pluralize } from "../../core/pluralize.ts";
import type { Mailer } from "../../records/mail/mailer.ts";
import { logOfFailure } from "../capture/capture-outcome.ts";
import { isRobots } from "../capture/prerequisite.ts";
import type { HarvestDefinition } from "../definitions/definition.ts";
import type { HarvestJob, UnreadLinkCounts } from "../definitions/job.ts";
import type { JobMessage } from "../definitions/job-message.ts";
import { isGivenUp, isUnreadForGood } from "../definitions/job-time.ts";
import type { SnapshotStore } from "../definitions/snapshot-store.ts";
import { formatCdxjLine, sortCdxj } from "../warc/cdxj.ts";
import { formatCrawlLogLine } from "../warc/crawl-log.ts";
import { seedsOf, startedJob } from "./begin-job.ts";
import type { CapturedUrls, JobUrl, UrlOutcome } from "./captured-urls.ts";
import { jobMail } from "./job-mail.ts";
import { type JobWarc, joinParts, planWarcs } from "./job-warcs.ts";

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

/** The number of URLs that are given up in parallel. A job may have 100,000. */
const parallelWrites = 32;

type StoredUrl = JobUrl & { urlId: string };

interface JobEvent {
  type: "capture.done" | "capture.failed";
  changeId: string;
  detail: { jobId: number; definitionId: string; objects: number; bytes: number; files: string[] };
}

/** The files of a job, by their names in its folder. */
interface JobFiles {
  part(jobId: number, partId: string): AsyncIterable<Uint8Array>;
  /** Writes a file. Can be repeated. */
  write(
    jobId: number,
    name: string,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void>;
  /** Returns whether a file exists, so that a repetition does not write it again. */
  has(jobId: number, name: string): Promise<boolean>;
}

/**
 * Ends a job whose URLs are all done: joins the records into WARC files, and writes the CDXJ and the crawl
 * log beside them. Can be repeated: the same URLs yield the same files. Existing files are not written again,
 * so that a function that ran out of time is resumed by its retry.
 */
export async function finishJob({ jobId }: JobMessage, ports: FinishJobPorts): Promise<void> {
  const { snapshots, files, clock } = ports;
  const found = await startedJob(jobId, snapshots);
  if (found === undefined) {
    // A function that was killed after the last change may not have published it.
    const ended = await snapshots.job(jobId);
    if (ended !== undefined) await publishEnd(ended, ports);
    return;
  }
  const { job, definition } = found;
  const at = clock.now();
  const isLate = isGivenUp(job, definition, at);
  const all = await endedUrls(jobId, ports.urls, isLate ? () => true : (url) => isEnded(url, at));
  if (all === undefined || (!isLate && !hasSeeds(job, definition, all))) return;
  const urls = await giveUp(jobId, all, { at, urls: ports.urls });
  if (urls === undefined) return;
  const plan = await planWarcs(job, urls, ports);
  for (const file of plan) {
    if (await files.has(jobId, file.name)) continue;
    await files.write(
      jobId,
      file.name,
      joinParts(file, (partId) => files.part(jobId, partId)),
    );
  }
  const cdxj = sortCdxj(
    plan.flatMap(({ members }) => members.filter(({ part }) => part.status >= 0).map(cdxjLine)),
  );
  await files.write(jobId, "index.cdxj", lines(cdxj));
  await files.write(jobId, "crawl.log", lines(urls.flatMap(({ outcome }) => outcome?.log ?? [])));
  const captured = urls.some(({ url, outcome }) => (outcome?.part?.status ?? -1) >= 0 && !isRobots(url));
  await end(
    job,
    {
      captured,
      comment: commentOf({
        captured,
        givenUp: urls.filter(({ outcome }) => outcome?.isGivenUp).length,
        isLate,
      }),
      files: plan.map(({ name }) => name),
      unreadLinks: countUnread(urls),
      at,
    },
    ports,
  );
}

/**
 * Returns the URLs of a job.
 * @returns undefined while one of them may still get an outcome; the index of wanted URLs may not show such a
 *   URL yet
 */
async function endedUrls(
  jobId: number,
  urls: CapturedUrls,
  hasEnded: (url: JobUrl) => boolean,
): Promise<StoredUrl[] | undefined> {
  const all: StoredUrl[] = [];
  for await (const page of urls.pages(jobId)) {
    if (!page.every(hasEnded)) return undefined;
    all.push(...page);
  }
  return all;
}

/**
 * Gives up the URLs without an outcome. This is stored before the files are written, because a response that
 * is read meanwhile must not change them.
 * @returns all URLs, in the order of their responses; undefined if one of them got its outcome meanwhile
 */
async function giveUp(
  jobId: number,
  all: readonly StoredUrl[],
  { at, urls }: { at: Date; urls: CapturedUrls },
): Promise<JobUrl[] | undefined> {
  const ended = await inParallel(all, parallelWrites, async (each) => {
    if (each.state === "done") return [each];
    const outcome = givenUpOutcome(each, at);
    return (await urls.finish(jobId, each.urlId, outcome)) ? [{ ...each, outcome }] : [];
  });
  const stored = ended.flat();
  return stored.length === all.length ? stored.sort(byTime) : undefined;
}

/** Returns whether a URL has an outcome, or its response could not be read and was not redriven in time. */
function isEnded({ state, unreadAt }: JobUrl, at: Date): boolean {
  return state === "done" || (unreadAt !== undefined && isUnreadForGood(unreadAt, at));
}

/** Returns whether the URLs of a job include its seeds. They do not if not all seeds could be added. */
function hasSeeds(job: HarvestJob, definition: HarvestDefinition, urls: readonly JobUrl[]): boolean {
  const known = new Set(urls.map(({ url }) => url));
  return seedsOf(job, definition).every((seed) => known.has(seed));
}

/** Compares URLs by the times of their responses. */
function byTime(a: JobUrl, b: JobUrl): number {
  return (a.outcome?.at ?? "") < (b.outcome?.at ?? "") ? -1 : 1;
}

/**
 * Returns the outcome of a URL whose request had none. It is the same as for a request after the time limit.
 */
function givenUpOutcome(wanted: JobUrl, at: Date): UrlOutcome {
  const outcome = { type: "refused", reason: "too-late", detail: "given up" } as const;
  const log = formatCrawlLogLine(logOfFailure(wanted, outcome, at), at);
  return { at: at.toISOString(), log, isGivenUp: true };
}

async function end(
  job: HarvestJob,
  {
    captured,
    comment,
    files,
    unreadLinks,
    at,
  }: {
    captured: boolean;
    comment: string | undefined;
    files: string[];
    unreadLinks: UnreadLinkCounts | undefined;
    at: Date;
  },
  { snapshots, events, mailer, recipients }: FinishJobPorts,
): Promise<void> {
  const { id } = job;
  const state = captured ? "done" : "failed";
  // Before the state changes: a repetition sends it again, under the same id.
  const mail = jobMail(job, { state, comment, unreadLinks }, recipients);
  if (mail !== undefined) await mailer.send(mail);
  await snapshots.changeJob(id, "started", {
    state,
    endedAt: at,
    hasCrawlLog: true,
    files,
    ...(comment !== undefined && { comment }),
    ...(unreadLinks !== undefined && { unreadLinks }),
  });
  await publishEnd({ ...job, state, files }, { events });
}

/** Publishes how a job has ended, when its state says the same. */
async function publishEnd(
  { id, definitionId, state, objects, bytes, files }: HarvestJob,
  { events }: Pick<FinishJobPorts, "events">,
): Promise<void> {
  if (state !== "done" && state !== "failed") return;
  const detail = { jobId: id, definitionId, objects, bytes, files: [...files] };
  await events.publish({ type: `capture.${state}`, changeId: `capture/${id}`, detail });
}

/** Counts the links of all resources that were not read; undefined if all were read. */
function countUnread(urls: readonly JobUrl[]): UnreadLinkCounts | undefined {
  const unread = urls.flatMap(({ outcome }) => outcome?.unread ?? []);
  if (unread.length === 0) return undefined;
  return {
    dropped: unread.reduce((sum, { dropped }) => sum + dropped, 0),
    cutResources: unread.filter(({ isCut }) => isCut).length,
  };
}

function commentOf(found: { captured: boolean; givenUp: number; isLate: boolean }): string | undefined {
  const { captured, givenUp, isLate } = found;
  const when = isLate
    ? "an hour after the limit of time"
    : "an hour after its request or answer was dead-lettered";
  const reasons = [
    ...(captured ? [] : ["no URL was answered"]),
    ...(givenUp === 0 ? [] : [`${pluralize(givenUp, "URL")} had no outcome ${when}`]),
  ];
  return reasons.length === 0 ? undefined : reasons.join("; ");
}

function cdxjLine({ url, part, place }: JobWarc["members"][number]): string {
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
