import type { Retry } from "../../core/retry.ts";
import type { DocumentOutcome } from "../../records/runs/run.ts";
import type { HarvestBatch, RunStore } from "../../records/runs/run-store.ts";
import type { RefusedRecord } from "../refused/refused-record.ts";
import type { RefusedStore } from "../refused/refused-store.ts";

type Method = (...given: unknown[]) => unknown;

/**
 * The ports of stages whose calls can be repeated. Two others are not included: a repeated mail would arrive twice, and
 * a transfer by SFTP continues from its stored state.
 */
const repeatablePorts = [
  "runs",
  "records",
  "archive",
  "sources",
  "status",
  "deliveries",
  "leases",
  "rules",
  "refusedRecords",
  "events",
  "next",
  "partsQueue",
  "reports",
] as const;

/**
 * The methods that read or return a stream, which can be read only once. Instead of such a call, the upload repeats the
 * whole file.
 */
const streamMethods: ReadonlySet<string> = new Set(["writeFile", "readFile"]);

/** The methods that yield pages, each with a function that returns the id of an item of a page. */
const pageMethods: Readonly<Record<string, ((item: never) => string) | undefined>> = {
  outcomeBatches: ({ sourceId, requestId }: DocumentOutcome) => `${sourceId} ${requestId}`,
  releasedPages: ({ document }: RefusedRecord) => document.recordId,
  undeliveredBatches: ({ pageId }: HarvestBatch) => pageId,
} satisfies Partial<Record<keyof RunStore | keyof RefusedStore, unknown>>;

/**
 * Wraps the ports of a stage with retries. Each repeatable call is retried, and each list continues where it failed.
 */
export function retryPorts<Ports extends object>(ports: Ports, retry: Retry): Ports {
  const wrapped = { ...ports } as Record<string, unknown>;
  for (const name of repeatablePorts) {
    const port = wrapped[name];
    if (port !== undefined) wrapped[name] = retryPort(port as Record<string, Method>, retry);
  }
  return wrapped as Ports;
}

function retryPort(port: Record<string, Method>, retry: Retry): Record<string, Method> {
  return Object.fromEntries(
    Object.entries(port).map(([name, method]) => {
      const idOf = pageMethods[name] as ((item: unknown) => string) | undefined;
      const call = (...given: unknown[]) => method.apply(port, given);
      if (streamMethods.has(name)) return [name, call];
      if (idOf === undefined) return [name, (...given: unknown[]) => retry(async () => call(...given))];
      const open = (...given: unknown[]) => call(...given) as AsyncIterable<unknown>;
      return [name, (...given: unknown[]) => retryPages(() => open(...given), idOf, retry)];
    }),
  );
}

/**
 * Yields the pages of a list. If a page fails, the list is read again, and items that have already been yielded are
 * skipped.
 */
async function* retryPages(
  open: () => AsyncIterable<unknown>,
  idOf: (item: unknown) => string,
  retry: Retry,
): AsyncGenerator<unknown> {
  const seen = new Set<string>();
  let isRestarted = false;
  let pages: AsyncIterator<unknown> | undefined = open()[Symbol.asyncIterator]();
  const readNext = async () => {
    if (pages === undefined) {
      pages = open()[Symbol.asyncIterator]();
      isRestarted = true;
    }
    try {
      return await pages.next();
    } catch (error) {
      // A generator that has thrown an error does not yield any further pages.
      pages = undefined;
      throw error;
    }
  };
  for (;;) {
    const { done, value: page } = await retry(readNext);
    if (done === true) return;
    const items: unknown[] = Array.isArray(page) ? page : [page];
    const unseen = isRestarted ? items.filter((item) => !seen.has(idOf(item))) : items;
    for (const item of items) seen.add(idOf(item));
    if (unseen.length > 0) yield Array.isArray(page) ? unseen : page;
  }
}
