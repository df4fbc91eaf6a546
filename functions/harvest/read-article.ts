import { optionalUrlVariable, variable } from "../../shared/adapters/aws/environment.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { requestsQueue, stageQueue } from "../../shared/adapters/aws/queues.ts";
import { bodyStore } from "../../shared/adapters/gate/body-store.ts";
import { archiveStore } from "../../shared/adapters/records/archive-store.ts";
import { combinedArchiveReads, recentRuns } from "../../shared/adapters/records/combined-reads.ts";
import { recentSources } from "../../shared/adapters/records/recent-sources.ts";
import { recordStore } from "../../shared/adapters/records/record-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { chooseLanguageDetector } from "../../shared/adapters/tika/choose-detector.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { readArticleResponse } from "../../shared/harvest/article/read-article-response.ts";
import { settleResponse } from "../../shared/harvest/listing/settle-response.ts";
import { lookupStore } from "../../shared/harvest/stores/lookup-store.ts";
import { recentRecipes } from "../../shared/harvest/stores/recipe-store.ts";
import { waitingArticles } from "../../shared/harvest/stores/waiting-articles.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/request/response.ts";

/** Reads the response to an article request and stores its MARC records. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({
    sources: recentSources(sourceStore(), systemClock),
    runs: recentRuns(runStore(), systemClock),
    records: recordStore(),
    archive: combinedArchiveReads(archiveStore()),
    bodies: bodyStore(),
    lookups: lookupStore(),
    recipes: recentRecipes(systemClock),
    waiting: waitingArticles(),
    requests: requestsQueue(),
    delivery: stageQueue("validateQueue"),
    events: events(),
    detectLanguage: chooseLanguageDetector(optionalUrlVariable("tikaUrl")),
    clock: systemClock,
    timeZone: variable("timeZone"),
  }),
  handle: readArticleResponse,
  settle: (response, services, reason) => settleResponse({ response, reason }, readArticleResponse, services),
});
