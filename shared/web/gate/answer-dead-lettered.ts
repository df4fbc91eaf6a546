import { isCapture } from "../request/body-policy.ts";
import type { OutboundRequest } from "../request/request.ts";
import { deadLettered } from "../request/response.ts";
import { responseWithoutAnswer } from "./dispatch-response.ts";
import type { GatePorts } from "./gate-ports.ts";

/** Answers a capture whose message is in the dead-letter queue: its crawl would wait for it. Others get no answer. */
export async function answerDeadLettered(
  request: OutboundRequest,
  detail: string,
  ports: Pick<GatePorts, "respond">,
): Promise<void> {
  if (!isCapture(request.bodyPolicy)) return;
  await ports.respond(responseWithoutAnswer(request, { type: "refused", reason: deadLettered, detail }));
}
