import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { bodyStore } from "../../shared/adapters/gate/body-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { readRepositoryCheck } from "../../shared/harvest/repository-check/read-check-response.ts";
import { repositoryCheckStore } from "../../shared/harvest/stores/repository-check-store.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/request/response.ts";

/** Reads a response of a repository that is checked, and requests what is checked next. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({
    repositoryChecks: repositoryCheckStore(),
    bodies: bodyStore(),
    requests: requestsQueue(),
    clock: systemClock,
  }),
  handle: readRepositoryCheck,
});
