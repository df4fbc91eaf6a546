import { bodyStore } from "../../shared/aws/gate/body-store.ts";
import { authorityStore } from "../../shared/aws/harvest/authority-store.ts";
import { waitingArticles } from "../../shared/aws/harvest/waiting-articles.ts";
import { messageQueue } from "../../shared/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { readAuthorityResponse } from "../../shared/harvest/authority/read-authority.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/gate/response.ts";

/** Reads what the authority file says of a name, and wakes the articles that waited for it. */
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
