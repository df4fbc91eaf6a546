import type { BodyReader } from "../../web/gate/bodies.ts";
import { applyBodyPolicy } from "../../web/request/body-policy.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import type { ChainOutcome } from "../verdict/chain-outcome.ts";

/** Loads the outcome of a link that the gate has requested, including the page if it was kept. */
export async function loadChain(
  { request, outcome }: InboundResponse,
  bodies: BodyReader,
): Promise<ChainOutcome> {
  switch (outcome.type) {
    case "answered": {
      const { hops, headers, bodyKey, bodyProblem } = outcome;
      if (bodyProblem !== undefined) return { type: "answered", hops, headers, bodyProblem };
      const isKept = applyBodyPolicy(request.bodyPolicy, outcome) !== "discard";
      const empty = isKept ? new Uint8Array() : undefined;
      const body = bodyKey === undefined ? empty : await bodies.load(bodyKey);
      return { type: "answered", hops, headers, body };
    }
    case "refused":
    case "failed": {
      const { type, reason, detail, hops = [] } = outcome;
      return { type, reason, detail, hops };
    }
  }
}
