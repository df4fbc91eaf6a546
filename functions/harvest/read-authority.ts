import { messageQueue } from "../../shared/adapters/aws/queues.ts";
import { bodyStore } from "../../shared/adapters/gate/body-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { readAuthorityResponse } from "../../shared/harvest/authority/read-authority-response.ts";
import { lookupStore } from "../../shared/harvest/stores/lookup-store.ts";
import { waitingArticles } from "../../shared/harvest/stores/waiting-articles.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse, withoutResponse } from "../../shared/web/request/response.ts";

/**
 * Stores the authority file's response for a name, and sends the articles that waited for it to their reader
 * again.
 */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({
    lookups: lookupStore(),
    waiting: waitingArticles(),
    articles: messageQueue("articleResponsesQueue"),
    bodies: bodyStore(),
    clock: systemClock,
  }),
  handle: readAuthorityResponse,
  settle: (response, services, reason) => readAuthorityResponse(withoutResponse(response, reason), services),
});
