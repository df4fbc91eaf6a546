import { parseInput } from "../../core/schema-problems.ts";
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
import { readTrialResponse } from "../recipes/read-trial-response.ts";
import { type RecipeTrialStore, recipeTrialContext } from "../recipes/recipe-trial.ts";
import {
  askNext,
  type DetectionContext,
  type DetectionResult,
  type DetectionStore,
  type detectedKinds,
  detectionContext,
} from "./detection.ts";
import { proposeSource } from "./propose-source.ts";
import { type Recognised, recognise } from "./recognise.ts";

type Step = { type: "ask"; request: NewRequest } | { type: "done"; result: DetectionResult };

/**
 * Recognises a response, and either stores the result or requests the next address. Repeatable, because the same
 * response leads to the same request. The page of the trial of a recipe is read by the recipe.
 */
export async function readDetectionResponse(
  response: InboundResponse,
  ports: {
    detections: Pick<DetectionStore, "finish">;
    recipeTrials: Pick<RecipeTrialStore, "finish">;
    requests: RequestQueue;
    bodies: BodyReader;
  },
): Promise<void> {
  const { request, outcome } = response;
  if (recipeTrialContext.safeParse(request.context).success) return readTrialResponse(response, ports);
  const context = parseInput(detectionContext, request.context);
  const body = isUsableAnswer(outcome) ? await loadBody(outcome, ports.bodies) : undefined;
  const step = nextStep({ outcome, body, askedUrl: request.url, userAgent: request.userAgent }, context);
  if (step.type === "ask") await ports.requests.send([step.request]);
  else await ports.detections.finish(context.detectionId, step.result);
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
