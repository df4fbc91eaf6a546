import { authorityStore } from "../../shared/aws/authority-store.ts";
import { bodyStore } from "../../shared/aws/body-store.ts";
import { messageQueue } from "../../shared/aws/queues.ts";
import { waitingArticles } from "../../shared/aws/waiting-articles.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { readAuthorityResponse } from "../../shared/harvest/authority/read-authority.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/gate/request.ts";

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
