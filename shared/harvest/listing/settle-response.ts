import { closeRequest, parseContext, runContext } from "../../records/runs/completion.ts";
import { findReceivingRun, saveToReceiver } from "../../records/runs/late-harvest.ts";
import { failedSourceOutcome } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { StageQueue } from "../../records/runs/stages.ts";
import {
  describeUnusableOutcome,
  type InboundResponse,
  withoutResponse,
} from "../../web/request/response.ts";

/**
 * Ends the request of a run whose response cannot be processed, so that its source does not wait for the request. The
 * reader of the response processes it as a missing response. If this also fails, the results of the response are left
 * out. Repeatable.
 */
export async function settleResponse<Ports extends { runs: RunStore; delivery: StageQueue }>(
  { response, reason }: { response: InboundResponse; reason: string },
  read: (response: InboundResponse, ports: Ports) => Promise<void>,
  ports: Ports,
): Promise<void> {
  const failed = withoutResponse(response, reason);
  try {
    await read(failed, ports);
  } catch {
    await closeUnread(failed, ports);
  }
}

async function closeUnread(
  { request, outcome }: InboundResponse,
  ports: { runs: RunStore; delivery: StageQueue },
): Promise<void> {
  const { runs } = ports;
  const context = parseContext(request, runContext);
  const { runId, sourceId } = context;
  const receiving = await findReceivingRun(runId, runs);
  if (receiving === undefined) return;
  const { id, kind, url } = request;
  const reason = describeUnusableOutcome(outcome);
  if (kind === "article") {
    const document = { requestId: id, sourceId, url, state: "failed" as const, reason };
    await saveToReceiver({ runId, ...receiving }, (receiver) => runs.saveOutcome(receiver, document), runs);
  } else {
    const source = { sourceId, title: sourceId };
    await runs.saveListingOutcome(runId, id, failedSourceOutcome(source, reason));
  }
  await closeRequest({ ...context, id }, ports);
}
