import { bodyStore } from "../../shared/adapters/aws/gate/body-store.ts";
import { authorityStore } from "../../shared/adapters/aws/harvest/authority-store.ts";
import { waitingArticles } from "../../shared/adapters/aws/harvest/waiting-articles.ts";
import { messageQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { readAuthorityResponse } from "../../shared/harvest/authority/read-authority-response.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/request/response.ts";

/** Stores the authority file's answer for a name and delivers the articles again that waited for it. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({
    authorities: authorityStore(),
    waiting: waitingArticles(),
    articles: messageQueue("articleResponsesQueue"),
    bodies: bodyStore(),
    clock: systemClock,
  }),
  handle: readAuthorityResponse,
});
