import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { dayMs } from "../../core/day.ts";
import { compilePattern } from "../../core/pattern.ts";
import type { ListingResult } from "../../records/runs/listing-result.ts";
import type { Run } from "../../records/runs/run.ts";
import type { Source } from "../../records/sources/source.ts";
import { siteOf } from "../../web/address/site.ts";
import { chooseLinks } from "../crawl/choose-links.ts";
import { buildNextRequests } from "../crawl/crawl-requests.ts";
import { entryFromUrl } from "../listing/article-requests.ts";
import { failedListingResult } from "../listing/listing-results.ts";
import {
  type BaseListingContext,
  type ProcessListingPorts,
  processListing,
} from "../listing/process-listing.ts";
import type { ReadMessage, ReceivedMail } from "../listing/received-mail.ts";
import { type ListingContext, selectArticles } from "../listing/select-articles.ts";
import { requestPolicyFor } from "../request-policy.ts";
import { type ParsedMail, parseMail } from "./parse-mail.ts";

/** The queue message that requests reading the received messages of a source for a run. */
export const mailReading = z.object({ id: z.string(), runId: z.string(), sourceId: z.string() });
export type MailReading = z.output<typeof mailReading>;

interface ReadMailPorts extends ProcessListingPorts {
  received: ReceivedMail;
  clock: Clock;
}

/** The number of days for which each run requests the links of a message until their articles are delivered. */
const linkRetryDays = 30;

/** The maximum number of links stored per message, because a DynamoDB item has at most 400 KB. */
const maxLinks = 1000;
const maxLinkChars = 300;
const maxSubjectChars = 1000;

/** The maximum size of a message. It is far above that of any table of contents; larger messages have attachments. */
const maxMessageBytes = 10 * 1024 * 1024;

/**
 * Reads the unread messages of a source. Requests the undelivered articles to which these messages, or the messages of
 * the last 30 days, link. Each message is parsed once.
 */
export async function readMail({ id, runId, sourceId }: MailReading, ports: ReadMailPorts): Promise<void> {
  const read = async (source: Source, frame: BaseListingContext) => {
    const group = await ports.sources.group(source.groupId);
    return group === undefined
      ? failedListingResult(frame, `group ${source.groupId} of source ${sourceId} is no longer configured`)
      : buildListing(source, { ...frame, requestPolicy: requestPolicyFor(source, group, frame.run) }, ports);
  };
  await processListing({ id, runId, sourceId }, read, ports);
}

/** Ends the reading of a source whose messages cannot be read. Repeatable. */
export async function settleMail(reading: MailReading, ports: ReadMailPorts, reason: string): Promise<void> {
  const fail = async (_source: Source, frame: BaseListingContext) =>
    failedListingResult(frame, `its messages could not be read: ${reason}`);
  await processListing(reading, fail, ports);
}

async function buildListing(
  source: Source,
  from: ListingContext,
  ports: ReadMailPorts,
): Promise<ListingResult> {
  const { sourceId } = source;
  const since = new Date(ports.clock.now().getTime() - linkRetryDays * dayMs).toISOString();
  const earlier = await ports.received.readSince(sourceId, since);
  const { messages, dropped } = await readUnread(source, from.run, ports.received);
  const links = [...earlier, ...messages].filter(matchesSubject(source)).flatMap((message) => message.links);
  const { harvest, follow } = chooseMailLinks(
    [...new Set(links)].map((link) => new URL(link)),
    source,
  );
  const listing = await selectArticles(harvest.map(entryFromUrl), from, ports);
  const context = { runId: from.run.runId, sourceId, role: "page" as const, depth: 1 };
  const { pages: listingRequests, unfollowed } = await buildNextRequests(
    follow,
    { ...from, context, maxPages: source.crawl.maxPages },
    ports,
  );
  const { outcome } = listing;
  return {
    ...listing,
    listingRequests,
    outcome: { ...outcome, unfollowed, dropped: [...dropped, ...outcome.dropped] },
  };
}

/**
 * Parses the unread messages of a source and, except in a preview, marks them as read. All of their links are stored,
 * because the source's expressions may change.
 */
async function readUnread(
  source: Source,
  { deliveryMode }: Run,
  received: ReceivedMail,
): Promise<{ messages: ReadMessage[]; dropped: { entry: string; reason: string }[] }> {
  const messages: ReadMessage[] = [];
  const dropped: { entry: string; reason: string }[] = [];
  for (const { key, sizeBytes } of await received.unread(source.sourceId)) {
    const message =
      sizeBytes > maxMessageBytes
        ? `it has ${sizeBytes} bytes, more than ${maxMessageBytes}`
        : await parseMail(await received.message(key));
    if (typeof message === "string") dropped.push({ entry: `message ${key}`, reason: message });
    const read = typeof message === "string" ? { subject: "", links: [] } : summarizeMessage(message);
    messages.push(read);
    if (deliveryMode !== "NONE") await received.markRead(source.sourceId, key, read);
  }
  return { messages, dropped };
}

function summarizeMessage({ subject, links, isSuspect }: ParsedMail): ReadMessage {
  const hrefs = new Set(isSuspect ? [] : links.map(({ href }) => href));
  return {
    subject: subject.slice(0, maxSubjectChars),
    links: [...hrefs].filter((link) => link.length <= maxLinkChars).slice(0, maxLinks),
  };
}

function matchesSubject({ email: { subjectRegex } }: Source): (message: ReadMessage) => boolean {
  const pattern = subjectRegex === undefined ? undefined : compilePattern(subjectRegex);
  return ({ subject }) => pattern === undefined || pattern.matcher(subject).find();
}

/**
 * Selects the articles and the pages to follow among the links of a message. Messages link to many sites. Therefore,
 * without an extraction expression, only links to the journal's own site are articles. Pages are followed only if the
 * source has a crawl expression.
 */
function chooseMailLinks(links: URL[], source: Source): { harvest: string[]; follow: string[] } {
  const { extractionRegex, urlRegex, maxDepth } = source.crawl;
  const own = siteOf(new URL(source.url));
  const { harvest } = chooseLinks(links, extractionRegex === undefined ? own : undefined, source);
  const { follow } = chooseLinks(links, own, source);
  return { harvest, follow: maxDepth > 0 && urlRegex !== undefined ? follow : [] };
}
