// Input: a stored page. Output: the record that it yields now. Called by reconvert-record.ts.

import type { Clock } from "../../core/clock.ts";
import type { MarcRecord } from "../../marc/record.ts";
import type { StoredRecord } from "../../records/documents/stored-record.ts";
import type { DomainEvent } from "../../records/events/events.ts";
import type { Reconverted, ReconvertedRecord } from "../../records/reconversions/reconverted.ts";
import { parseContext } from "../../records/runs/completion.ts";
import type { DocumentOutcome, Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { RequestQueue } from "../../web/request/request.ts";
import { doiLookupWaitMs } from "../doi-agencies/look-up-doi.ts";
import type { LookupStore } from "../lookups/lookup-store.ts";
import type { StoredPage } from "../stored-pages/stored-page.ts";
import { articleContext } from "./article-context.ts";
import { type ConvertContentPorts, convertArticleContent } from "./convert-article-content.ts";
import { type PagePorts, parseArticleContent } from "./parse-article-content.ts";

export interface ReconvertArticlePorts
  extends Pick<ConvertContentPorts, "sources" | "detectLanguage" | "timeZone"> {
  recipes: PagePorts["recipes"];
  runs: Pick<RunStore, "claimRequests">;
  lookups: LookupStore;
  requests: RequestQueue;
  clock: Pick<Clock, "now">;
}

/**
 * Converts a stored page as if it had been read just now, on the day on which it was read. Names that have not been
 * looked up before are looked up.
 */
export async function reconvertArticle(
  page: StoredPage,
  { recordId, deliveryMode, pageKey = "" }: ReconvertedRecord,
  { reconversionId, asksAgencies }: { reconversionId: string; asksAgencies: boolean },
  ports: ReconvertArticlePorts,
): Promise<Reconverted> {
  const { response, readAt } = page;
  const context = { ...parseContext(response.request, articleContext), id: response.request.id };
  const bodies = {
    load: async (key: string) => bodyOf(page, key),
    store: async (key: string) => key,
  };
  const content = await parseArticleContent(response, context, { bodies, recipes: ports.recipes });
  if (
    content.type === "choices" ||
    content.type === "linked" ||
    content.type === "translated" ||
    content.type === "untranslated"
  ) {
    return { type: "unconvertible", reason: "its host would have to be requested again" };
  }
  const run: Run = {
    runId: reconversionId,
    deliveryMode,
    state: "harvesting",
    startedAt: readAt,
    deadlineAt: readAt,
  };
  const stored = new StoredOnly();
  const { outcomes, isComplete } = await convertArticleContent(
    content,
    { ...context, runId: reconversionId, run, response, pageKey },
    {
      ...ports,
      bodies,
      clock: { now: () => new Date(readAt), sleep: async () => {} },
      lookups: withStoredAnswers(page, ports.lookups, { asksAgencies }),
      requests: withoutDelay(ports),
      // The part of the reconversion is repeated until the answers have arrived.
      waiting: { add: async () => {}, waitingFor: async () => [] },
      archive: { knownReasons: async () => new Map() },
      runs: onlyAbstracts(ports.runs),
      records: stored.records,
      events: stored.events,
    },
  );
  const outcome = outcomes.find((one) => one.state === "converted" && one.recordId === recordId);
  const record = stored.marcById.get(recordId);
  const saved = stored.savedById.get(recordId);
  if (outcome?.state === "converted" && record !== undefined && saved !== undefined) {
    const { hash, doi, urls, archiveKeys, matchKey } = outcome;
    const { title, landingUrl, provenance, originFindings } = saved;
    return {
      type: "converted",
      record,
      content: {
        hash,
        ...(doi !== undefined && { doi }),
        urls,
        archiveKeys,
        ...(matchKey !== undefined && { matchKey }),
        title,
        landingUrl,
        ...(provenance && { provenance }),
        ...(originFindings && { originFindings }),
      },
      events: stored.published.filter(({ detail }) => isOf(detail, recordId)),
    };
  }
  return isComplete ? { type: "unconvertible", reason: reasonOf(outcomes) } : { type: "waiting" };
}

function bodyOf({ bodies }: StoredPage, key: string): Uint8Array {
  const body = bodies.get(key);
  if (body === undefined) throw new Error(`the stored page has no body ${key}`);
  return body;
}

/** Takes what the conversion stores, and stores nothing. */
class StoredOnly {
  readonly marcById = new Map<string, MarcRecord>();
  readonly savedById = new Map<string, StoredRecord>();
  readonly published: DomainEvent[] = [];

  readonly records = {
    storeMarc: async (recordId: string, record: MarcRecord) => {
      this.marcById.set(recordId, record);
      return recordId;
    },
    save: async (record: StoredRecord) => {
      this.savedById.set(record.recordId, record);
      return false;
    },
  };
  readonly events = { publish: async (event: DomainEvent) => void this.published.push(event) };
}

function isOf(detail: object, recordId: string): boolean {
  return "documentUri" in detail && detail.documentUri === `/records/${recordId}`;
}

/**
 * Returns the store with the answers that the page was converted with, for those that are no longer cached.
 * @param options.asksAgencies leaves out the answers that agencies may have changed
 */
function withStoredAnswers(
  { answers }: StoredPage,
  lookups: LookupStore,
  { asksAgencies }: { asksAgencies: boolean },
): LookupStore {
  return {
    store: lookups.store,
    async cached(lookupIds) {
      const cached = await lookups.cached(lookupIds);
      const kept = lookupIds.flatMap((id) => {
        const answer = answers.get(id);
        const isOutdated = asksAgencies && answer?.type === "registered";
        return answer === undefined || isOutdated ? [] : [[id, answer] as const];
      });
      return new Map([...kept, ...cached]);
    },
  };
}

/** Sends requests as of now, and not as of the day of the page. */
function withoutDelay({ requests, clock }: Pick<ReconvertArticlePorts, "requests" | "clock">): RequestQueue {
  return {
    send: (all) =>
      requests.send(
        all.map(({ notAfter, ...request }) => ({
          ...request,
          ...(notAfter !== undefined && {
            notAfter: new Date(clock.now().getTime() + doiLookupWaitMs).toISOString(),
          }),
        })),
      ),
  };
}

/** Claims only the abstracts of articles; an article belongs to its own record. */
function onlyAbstracts({ claimRequests }: Pick<RunStore, "claimRequests">): ConvertContentPorts["runs"] {
  return {
    claimRequests: async (runId, sourceId, claim) =>
      runId === `abstracts-${sourceId}` ? claimRequests(runId, sourceId, claim) : new Set(claim.ids),
    saveListingOutcome: async () => {},
  };
}

function reasonOf(outcomes: readonly DocumentOutcome[]): string {
  const [outcome] = outcomes;
  return outcome !== undefined && "reason" in outcome
    ? outcome.reason
    : "the page no longer contains the article";
}
