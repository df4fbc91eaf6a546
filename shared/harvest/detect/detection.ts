import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { parseInput } from "../../core/schema-problems.ts";
import type { Group } from "../../records/sources/group.ts";
import type { NewSource } from "../../records/sources/source.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { NewRequest, RequestQueue } from "../../web/request/request.ts";
import {
  describeUnusableOutcome,
  type InboundResponse,
  isUsableAnswer,
  type ResponseOutcome,
} from "../../web/request/response.ts";
import { loadBody } from "../load-body.ts";
import { looksLikeOai } from "./offered-lists.ts";
import { proposeSource } from "./propose-source.ts";
import { type Recognised, recognise } from "./recognise.ts";

/** The kinds of sources that can be detected. */
export const detectedKinds = [
  "oai-pmh",
  "feed",
  "page-with-list",
  "sitemap",
  "article",
  "journal-page",
] as const;

/** The result of a detection: a source to review and save, or the reason why none was detected. */
export type DetectionResult =
  | {
      type: "found";
      kind: (typeof detectedKinds)[number];
      /** A sentence that says what was found, and where. */
      detail: string;
      /** The proposed source. It delivers nothing until an operator changes its mode. */
      source: NewSource & { deliveryMode: "NONE" };
    }
  | { type: "nothing"; detail: string };

/** The detection of the source behind an address that an operator has entered. */
export interface Detection {
  detectionId: string;
  url: string;
  groupId: string;
  /** ISO 8601, UTC. */
  requestedAt: string;
  /** Absent while the result is unknown. */
  result?: DetectionResult;
}

export interface DetectionStore {
  create(detection: Detection): Promise<void>;
  finish(detectionId: string, result: DetectionResult): Promise<void>;
  get(detectionId: string): Promise<Detection | undefined>;
}

/** The maximum number of requests of a detection. */
const maxRequests = 6;

const detectionContext = z.object({
  detectionId: z.string(),
  groupId: z.string(),
  /** The addresses to try if this address is not a source. */
  left: z.array(z.string()),
  /** The page that offers these addresses. */
  page: z.object({ url: z.string(), title: z.string().optional() }).optional(),
  asked: z.number().int(),
});
type DetectionContext = z.output<typeof detectionContext>;

type Step = { type: "ask"; request: NewRequest } | { type: "done"; result: DetectionResult };

/** Starts a detection. Requests may wait in the gate, so the result is fetched later by the id of the detection. */
export async function requestDetection(
  { url, group }: { url: string; group: Pick<Group, "groupId" | "userAgent"> },
  ports: {
    detections: Pick<DetectionStore, "create">;
    requests: RequestQueue;
    clock: Pick<Clock, "now">;
    newId(): string;
  },
): Promise<Detection> {
  const { groupId, userAgent } = group;
  const requestedAt = ports.clock.now().toISOString();
  const detection = { detectionId: ports.newId(), url, groupId, requestedAt };
  await ports.detections.create(detection);
  const context = { detectionId: detection.detectionId, groupId, left: firstAddresses(url), asked: 0 };
  const first = askNext(context, userAgent);
  if (first !== undefined) await ports.requests.send([first]);
  return detection;
}

/**
 * Recognises a response, and either stores the result or requests the next address. Repeatable, because the same
 * response leads to the same request.
 */
export async function readDetectionResponse(
  { request, outcome }: InboundResponse,
  ports: { detections: Pick<DetectionStore, "finish">; requests: RequestQueue; bodies: BodyReader },
): Promise<void> {
  const context = parseInput(detectionContext, request.context);
  const body = isUsableAnswer(outcome) ? await loadBody(outcome, ports.bodies) : undefined;
  const step = nextStep({ outcome, body, askedUrl: request.url, userAgent: request.userAgent }, context);
  if (step.type === "ask") await ports.requests.send([step.request]);
  else await ports.detections.finish(context.detectionId, step.result);
}

/**
 * Returns the addresses to request first. If an address looks like that of a repository, Identify is requested before
 * the address itself.
 */
function firstAddresses(url: string): string[] {
  const address = new URL(url);
  if (!looksLikeOai(address)) return [url];
  address.search = "?verb=Identify";
  return [...new Set([address.href, url])];
}

function askNext(
  { left, asked, ...context }: DetectionContext,
  userAgent: string | undefined,
): NewRequest | undefined {
  const [url, ...others] = left;
  if (url === undefined || asked >= maxRequests) return undefined;
  return {
    id: digest("detection", context.detectionId, url),
    kind: "detection",
    url,
    ...(userAgent !== undefined && { userAgent }),
    context: { ...context, left: others, asked: asked + 1 },
  };
}

/** Decides by a response which kind of source its address is, or which address is requested next. */
function nextStep(
  answer: {
    outcome: ResponseOutcome;
    body: Uint8Array | undefined;
    askedUrl: string;
    userAgent: string | undefined;
  },
  context: DetectionContext,
): Step {
  const { outcome, body, askedUrl, userAgent } = answer;
  const giveUp = (detail: string): Step => {
    const next = askNext(context, userAgent);
    if (next !== undefined) return { type: "ask", request: next };
    const { page } = context;
    return {
      type: "done",
      result: page === undefined ? { type: "nothing", detail } : journalPage(page, context),
    };
  };
  if (!isUsableAnswer(outcome) || body === undefined) return giveUp(describeUnusableOutcome(outcome));
  const { url } = outcome;
  const found = recognise(body, { url, contentType: outcome.headers["content-type"] });
  if (found.type === "unknown") return giveUp(`${url}: ${found.detail}`);
  if (found.type === "page") {
    // A web page that another page offers as a list is not a list.
    if (context.page !== undefined) return giveUp(`${url} is a web page`);
    const page = { url, ...(found.title !== undefined && { title: found.title }) };
    const left = [
      ...context.left.filter((each) => each !== askedUrl),
      ...found.lists.map(({ href }) => href),
    ];
    const next = askNext({ ...context, left, page }, userAgent);
    return next === undefined
      ? { type: "done", result: journalPage(page, context) }
      : { type: "ask", request: next };
  }
  return { type: "done", result: foundSource(found, url, context) };
}

function foundSource(
  found: Exclude<Recognised, { type: "unknown" | "page" }>,
  url: string,
  { page, groupId }: DetectionContext,
): DetectionResult {
  const where = page === undefined ? url : `${url}, which ${page.url} offers`;
  // The title of the page is used, because it names the journal. The title of its feed is often "Recent articles".
  const title = page?.title ?? ("title" in found ? found.title : undefined);
  const result = (
    kind: (typeof detectedKinds)[number],
    detail: string,
    more: Pick<NewSource, "type"> & { url?: string; crawl?: NonNullable<NewSource["crawl"]> },
  ): DetectionResult => {
    const source = { ...proposeSource(more.url ?? url, { title, groupId }), ...more };
    return { type: "found", kind: page === undefined ? kind : "page-with-list", detail, source };
  };
  switch (found.type) {
    case "oai-pmh":
      return result("oai-pmh", `an OAI-PMH repository: ${where}`, {
        type: "OAI-PMH",
        url: withoutQuery(url),
      });
    case "feed":
      return result("feed", `a feed of ${found.entries} entries: ${where}`, { type: "RSS" });
    case "sitemap":
      return result("sitemap", `a sitemap of ${found.pages} addresses: ${where}`, {
        type: "CRAWL",
        url: new URL("/", url).href,
        crawl: { sitemaps: true },
      });
    case "article":
      return result("article", `the page of one article: ${where}`, { type: "DIRECT" });
  }
}

function journalPage(
  { url, title }: NonNullable<DetectionContext["page"]>,
  { groupId }: DetectionContext,
): DetectionResult {
  return {
    type: "found",
    kind: "journal-page",
    detail: `a page without a feed, whose links are followed: ${url}`,
    source: { ...proposeSource(url, { title, groupId }), type: "CRAWL", crawl: { maxDepth: 1 } },
  };
}

function withoutQuery(url: string): string {
  const base = new URL(url);
  base.search = "";
  return base.href;
}
