import type { OutboundRequest } from "../request/request.ts";
import { deadLettered } from "../request/response.ts";
import { responseWithoutAnswer } from "./dispatch-response.ts";
import type { GatePorts } from "./gate-ports.ts";

/**
 * Responds to a request whose message is in the dead-letter queue, because a run, a sweep or a crawl would otherwise
 * wait for the response.
 */
export async function answerDeadLettered(
  request: OutboundRequest,
  detail: string,
  ports: Pick<GatePorts, "respond">,
): Promise<void> {
  await ports.respond(responseWithoutAnswer(request, { type: "refused", reason: deadLettered, detail }));
}
