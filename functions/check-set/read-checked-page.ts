import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { bodyStore } from "../../shared/adapters/gate/body-store.ts";
import { readCheckedPage } from "../../shared/check-set/read-checked-page.ts";
import { checkStore } from "../../shared/check-set/stores/check-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse, withoutResponse } from "../../shared/web/request/response.ts";

/** Counts the records on a page of a set that is being checked. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({
    checks: checkStore(),
    bodies: bodyStore(),
    requests: requestsQueue(),
    clock: systemClock,
  }),
  handle: readCheckedPage,
  settle: (response, services, reason) => readCheckedPage(withoutResponse(response, reason), services),
});
