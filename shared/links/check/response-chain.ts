import type { BodyStore } from "../../ports.ts";
import type { InboundResponse } from "../../web/gate/response.ts";
import type { ChainOutcome } from "./chain.ts";

/** What became of a link that the gate has asked, with its page where that was kept. */
export async function chainOf(
  { request, outcome }: InboundResponse,
  bodies: BodyStore,
): Promise<ChainOutcome> {
  switch (outcome.type) {
    case "answered": {
      const { hops, headers, bodyKey, bodyProblem } = outcome;
      if (bodyProblem !== undefined) return { type: "answered", hops, headers, bodyProblem };
      const empty = request.keepBody ? new Uint8Array() : undefined;
      const body = bodyKey === undefined ? empty : await bodies.body(bodyKey);
      return { type: "answered", hops, headers, body };
    }
    case "refused":
    case "failed": {
      const { type, reason, detail, hops = [] } = outcome;
      return { type, reason, detail, hops };
    }
  }
}
