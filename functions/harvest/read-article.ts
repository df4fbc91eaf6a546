import { recentSources } from "../../shared/adapters/aws/config/recent-sources.ts";
import { sourceStore } from "../../shared/adapters/aws/config/source-store.ts";
import { archiveStore } from "../../shared/adapters/aws/delivery/archive-store.ts";
import { optionalUrlVariable, variable } from "../../shared/adapters/aws/environment.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { bodyStore } from "../../shared/adapters/aws/gate/body-store.ts";
import { authorityStore } from "../../shared/adapters/aws/harvest/authority-store.ts";
import { combinedArchiveReads, recentRuns } from "../../shared/adapters/aws/harvest/combined-reads.ts";
import { recordStore } from "../../shared/adapters/aws/harvest/record-store.ts";
import { runStore } from "../../shared/adapters/aws/harvest/run-store.ts";
import { waitingArticles } from "../../shared/adapters/aws/harvest/waiting-articles.ts";
import { requestsQueue, stageQueue } from "../../shared/adapters/aws/queues.ts";
import { chooseLanguageDetector } from "../../shared/adapters/tika/choose-detector.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { readArticleResponse } from "../../shared/harvest/article/read-article-response.ts";
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
    authorities: authorityStore(),
    waiting: waitingArticles(),
    requests: requestsQueue(),
    delivery: stageQueue("validateQueue"),
    events: events(),
    detectLanguage: chooseLanguageDetector(optionalUrlVariable("tikaUrl")),
    clock: systemClock,
    timeZone: variable("timeZone"),
  }),
  handle: readArticleResponse,
});
