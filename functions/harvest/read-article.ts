import { archiveStore } from "../../shared/aws/archive-store.ts";
import { authorityStore } from "../../shared/aws/authority-store.ts";
import { bodyStore } from "../../shared/aws/body-store.ts";
import { optionalUrl, variable } from "../../shared/aws/environment.ts";
import { events } from "../../shared/aws/events.ts";
import { requestsQueue, stageQueue } from "../../shared/aws/queues.ts";
import { recordStore } from "../../shared/aws/record-store.ts";
import { runStore } from "../../shared/aws/run-store.ts";
import { sourceStore } from "../../shared/aws/source-store.ts";
import { waitingArticles } from "../../shared/aws/waiting-articles.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { languageDetector } from "../../shared/harvest/language/detector.ts";
import { readArticleResponse } from "../../shared/harvest/read-article.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/gate/request.ts";

/** Reads an article's page and turns it into a MARC record. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({
    sources: sourceStore(),
    runs: runStore(),
    records: recordStore(),
    archive: archiveStore(),
    bodies: bodyStore(),
    authorities: authorityStore(),
    waiting: waitingArticles(),
    requests: requestsQueue(),
    delivery: stageQueue("validateQueue"),
    events: events(),
    detectLanguage: languageDetector(optionalUrl("tikaUrl")),
    clock: systemClock,
    timeZone: variable("timeZone"),
  }),
  handle: readArticleResponse,
});
