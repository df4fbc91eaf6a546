import type { RandomFaults } from "../../../local/cloud/faults.ts";
import type { RecordedExchange } from "../counting-provider.ts";

/** Requests to a host that came earlier than its delay allows, or while another was in progress. */
export function politenessViolations(
  exchanges: ReadonlyMap<string, RecordedExchange[]>,
  { faults, delayMsOf }: { faults: RandomFaults; delayMsOf(address: string): number },
): string[] {
  return [...exchanges].flatMap(([address, ofHost]) =>
    ofHost.flatMap((exchange, index) => {
      const overlap = exchange.concurrent > 0 ? [`${address}${exchange.path} overlaps another request`] : [];
      const before = ofHost[index - 1];
      if (before === undefined) return overlap;
      const gapMs = exchange.startMs - before.endMs;
      const allowedMs = delayMsOf(address) - forwardJumpMs(faults, before, exchange);
      if (gapMs >= allowedMs || before.path === "/robots.txt") return overlap;
      return [...overlap, `${address}${exchange.path} after ${gapMs} ms instead of ${allowedMs}`];
    }),
  );
}

/** How far the functions' clock jumped ahead between two requests: by so much their delay may be short. */
function forwardJumpMs(faults: RandomFaults, before: RecordedExchange, after: RecordedExchange): number {
  return faults
    .jumps()
    .filter(({ atMs, byMs }) => byMs > 0 && atMs >= before.startMs && atMs <= after.startMs)
    .reduce((sum, { byMs }) => sum + byMs, 0);
}
