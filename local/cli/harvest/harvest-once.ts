import { systemClock } from "../../../shared/core/clock.ts";
import { type Preview, readPreview } from "../../../shared/deliver/validate/preview.ts";
import { validateRun } from "../../../shared/deliver/validate/validate.ts";
import type { ValidationRule } from "../../../shared/deliver/validation/rule.ts";
import type { DetectLanguage } from "../../../shared/formats/language/detect-language.ts";
import { readArticleResponse } from "../../../shared/harvest/article/read-article-response.ts";
import { readAuthorityResponse } from "../../../shared/harvest/authority/read-authority-response.ts";
import { readCrawledPageResponse } from "../../../shared/harvest/crawl/read-crawled-page-response.ts";
import { readDoiMetadataResponse } from "../../../shared/harvest/doi-agencies/read-doi-metadata-response.ts";
import { type MailReading, readMail } from "../../../shared/harvest/email/read-mail.ts";
import { readOaiResponse } from "../../../shared/harvest/oai/read-oai-response.ts";
import { readFeedResponse } from "../../../shared/harvest/rss/read-feed-response.ts";
import { startHarvest } from "../../../shared/harvest/start-harvest.ts";
import { buildRunId } from "../../../shared/records/runs/run.ts";
import type { Group } from "../../../shared/records/sources/group.ts";
import type { Settings } from "../../../shared/records/sources/settings.ts";
import type { Source } from "../../../shared/records/sources/source.ts";
import type { KindReadIn } from "../../../shared/web/request/kinds.ts";
import { type NewRequest, outboundRequest } from "../../../shared/web/request/request.ts";
import type { InboundResponse } from "../../../shared/web/request/response.ts";
import { memoryLookups, memoryWaiting } from "../memory/lookups.ts";
import { memoryOaiHarvests } from "../memory/oai-harvests.ts";
import { type MailFile, memoryMail } from "../memory/received-mail.ts";
import { memoryRecords } from "../memory/records.ts";
import { memoryRuns } from "../memory/runs.ts";
import type { InProcessGate } from "./in-process-gate.ts";

export interface HarvestOptions {
  source: Source;
  group: Group;
  settings: Settings;
  gate: InProcessGate;
  signal: AbortSignal;
  detectLanguage: DetectLanguage;
  /**
   * Validation rules in addition to the standard rules. A rule for this source names its id or its Zeder id.
   */
  rules: ValidationRule[];
  /** The response to the source's URL, if it was already fetched. */
  firstResponse?: InboundResponse | undefined;
  /** The number of the newest articles to harvest per list; default: all. */
  newest?: number | undefined;
  /** The received messages of a source of the type EMAIL. */
  mailFiles?: MailFile[] | undefined;
  /** Called after each response, with the numbers of responses read and requests sent so far. */
  onProgress?: (progress: { read: number; requested: number }) => void;
}

/**
 * Harvests one source in this process: a preview run with the cloud's readers, in-memory stores and an in-process gate.
 * @throws the signal's reason when it is aborted
 */
export async function harvestOnce(options: HarvestOptions): Promise<Preview> {
  const { source, newest, signal } = options;
  const start = {
    deliveryMode: "NONE" as const,
    scheduledTime: new Date().toISOString(),
    sourceIds: [source.sourceId],
    ...(newest !== undefined && { newest }),
  };
  const runId = buildRunId(start);
  const completed = Promise.withResolvers<void>();
  const stop = () => completed.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  const ports = memoryPorts(options, completed);
  startHarvest(start, ports).catch(completed.reject);
  await completed.promise.finally(() => signal.removeEventListener("abort", stop));
  await validateRun({ runId }, ports);
  const preview = await readPreview(runId, ports);
  if (preview === undefined) throw new Error(`the run ${runId} has no preview`);
  return preview;
}

/**
 * Replaces Zeder ids in rules with the source id. Rule files may use either, as records do, but the run needs
 * the source id.
 */
function bindRulesToSource({ rules, source: { sourceId, zederId } }: HarvestOptions): ValidationRule[] {
  return rules.map((rule) =>
    rule.source !== null && rule.source === zederId ? { ...rule, source: sourceId } : rule,
  );
}

function memoryPorts(options: HarvestOptions, completed: PromiseWithResolvers<void>) {
  const { source, group, settings, gate, signal, firstResponse, detectLanguage, onProgress } = options;
  const sent = new Set<string>();
  let readCount = 0;
  const readers: Record<KindReadIn<"harvest">, (response: InboundResponse) => Promise<void>> = {
    feed: (response) => readFeedResponse(response, ports),
    page: (response) => readCrawledPageResponse(response, ports),
    article: (response) => readArticleResponse(response, ports),
    oai: (response) => readOaiResponse(response, ports),
    authority: (response) => readAuthorityResponse(response, ports),
    "doi-metadata": (response) => readDoiMetadataResponse(response, ports),
  };
  const read = async (response: InboundResponse) => {
    const { kind } = response.request;
    if (!(kind in readers)) throw new Error(`a harvest does not read responses of the kind ${kind}`);
    await readers[kind as KindReadIn<"harvest">](response);
  };
  const fetchAndRead = async (request: NewRequest) => {
    signal.throwIfAborted();
    // Drops a request that was already sent, as a FIFO queue does.
    if (sent.has(request.id)) return;
    sent.add(request.id);
    const isAlreadyFetched =
      firstResponse?.request.url === request.url &&
      (firstResponse.request.kind === request.kind || !gate.hasTranslationServer);
    const response = isAlreadyFetched
      ? { ...firstResponse, request: outboundRequest.parse(request) }
      : await gate.fetch(request);
    await read(response);
    onProgress?.({ read: ++readCount, requested: sent.size });
  };
  const ports = {
    lookups: memoryLookups(systemClock),
    recipes: { list: async () => [] },
    waiting: memoryWaiting(),
    responses: { send: read },
    runs: memoryRuns(),
    records: memoryRecords(),
    sources: {
      source: async () => source,
      sourcesByMode: async () => ({ sources: [source], unusable: [] }),
      sourcesById: async () => ({ sources: [source], unusable: [] }),
      settings: async () => settings,
      group: async () => group,
      groups: async () => ({ groups: [group], unusable: [] }),
    },
    // The archive is empty, so every article is harvested.
    archive: { knownReasons: async () => new Map(), entry: async () => undefined, claim: async () => true },
    rules: { rules: async () => bindRulesToSource(options) },
    refusedRecords: {
      listedSince: async () => new Map<string, string>(),
      releasedPages: async function* () {},
      save: async () => undefined,
      remove: async () => undefined,
    },
    status: {
      statuses: async () => new Map(),
      recentRuns: async () => new Map(),
      markAdded: async () => undefined,
      markDelivered: async () => undefined,
      addRun: async () => undefined,
    },
    bodies: gate,
    requests: {
      send: async (requests: NewRequest[]) => {
        for (const request of requests) fetchAndRead(request).catch(completed.reject);
      },
    },
    articles: { send: read },
    received: memoryMail(options.mailFiles ?? []),
    mail: { send: async (reading: MailReading) => void readMail(reading, ports).catch(completed.reject) },
    deadlines: { schedule: async () => undefined },
    oaiHarvests: memoryOaiHarvests(),
    // A preview stores no documents.
    kept: undefined,
    setRegistrations: { send: async () => undefined },
    delivery: { send: async () => completed.resolve() },
    next: { send: async () => undefined },
    partsQueue: { send: async () => undefined },
    division: { partSize: 1000, maxInline: Number.POSITIVE_INFINITY },
    events: { publish: async () => undefined },
    detectLanguage,
    clock: systemClock,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    // There is no deadline: the run ends when it is complete, or when a signal stops it.
    runDeadlineMinutes: 365 * 24 * 60,
    softDeadlineMinutes: 0,
  };
  return ports;
}
