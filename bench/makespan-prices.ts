import { gateMemoryMiB } from "../shared/web/gate/other-hosts.ts";
import type { Use } from "./makespan-world.ts";
import { prices } from "./prices.ts";

const functionGigabytes = gateMemoryMiB / 1024;

/** Requests are sent in batches of ten. */
const sendsPerRequest = 0.1;

export interface Cost {
  /** Calls of `requests.fifo` for sending, receiving, hiding and deleting. */
  queue: number;
  function: number;
  hostStates: number;
  answers: number;
}

/** The cost of a million such requests in US$, by service. */
export function costPerMillion(use: Use): Cost {
  const { perMillion, gigabyteSecond } = prices;
  // Every request has one response.
  const requests = use.responses;
  const each = (count: number, price: number) => (count / requests) * price;
  const fifoCalls = use.receives + use.deletes + use.visibilityChanges + requests * sendsPerRequest;
  return {
    queue: each(fifoCalls, perMillion.fifoCalls),
    function:
      each(use.invocations, perMillion.invocations) +
      each((use.functionMs / 1000) * functionGigabytes, gigabyteSecond * 1e6),
    hostStates: each(use.hostWriteUnits, perMillion.writeUnits) + each(use.hostReads, perMillion.readUnits),
    answers: each(use.responses, perMillion.standardCalls) + each(use.bodies, perMillion.s3Puts),
  };
}
