import type { Meter, MeteredCall, MeteredInvocation, MeteredUnits } from "../local/cloud/meter.ts";
import { prices } from "./prices.ts";

/** SQS and EventBridge bill each 64 KiB of a request separately. */
const chunkBytes = 64 * 1024;

/**
 * The bytes that CloudWatch bills in addition to each line. @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html
 */
const logLineOverheadBytes = 26;

export interface Line {
  /** The service and the billed unit. */
  readonly item: string;
  /** The function, table or queue that causes the costs. */
  readonly of: string;
  readonly count: number;
  readonly usd: number;
}

/** Computes what AWS would bill for the calls that a meter has received. */
export class Usage implements Meter {
  private readonly lines = new Map<string, { item: string; of: string; count: number; usd: number }>();
  /** The number of calls of functions. */
  calls = 0;

  call(call: MeteredCall): void {
    const { caller, operation, resource } = call;
    if (!caller.startsWith("poller of")) this.calls += 1;
    const priced = priceOf(call);
    if (priced !== undefined) this.add({ ...priced, of: `${caller} ${operation} ${resource}` });
  }

  units({ table, index, kind, units }: MeteredUnits): void {
    const price = kind === "read" ? prices.perMillion.readUnits : prices.perMillion.writeUnits;
    const of = index === undefined ? table : `${table}/${index}`;
    this.add({ item: `DynamoDB ${kind} units`, of, count: units, usd: (units * price) / 1e6 });
  }

  invocation({ functionName, memoryMb, ms }: MeteredInvocation): void {
    const gigabyteSeconds = (Math.ceil(ms) / 1000) * (memoryMb / 1024);
    const usd = gigabyteSeconds * prices.gigabyteSecond;
    this.add({ item: "Lambda GB-seconds", of: functionName, count: gigabyteSeconds, usd });
    const perCall = prices.perMillion.invocations / 1e6;
    this.add({ item: "Lambda invocations", of: functionName, count: 1, usd: perCall });
  }

  logLine(functionName: string, bytes: number): void {
    const gigabytes = (bytes + logLineOverheadBytes) / 1e9;
    this.add({
      item: "CloudWatch GB of logs",
      of: functionName,
      count: gigabytes,
      usd: gigabytes * prices.logGigabyte,
    });
  }

  add({ item, of, count, usd }: Line): void {
    const key = `${item}\n${of}`;
    const line = this.lines.get(key) ?? { item, of, count: 0, usd: 0 };
    this.lines.set(key, { item, of, count: line.count + count, usd: line.usd + usd });
  }

  /** Returns all lines so far, and starts again. */
  take(): Line[] {
    const lines = [...this.lines.values()];
    this.lines.clear();
    return lines;
  }
}

/** Adds up the lines of each item, the most expensive item first. */
export function byItem(
  lines: readonly Line[],
): { item: string; count: number; usd: number; lines: Line[] }[] {
  return [...Map.groupBy(lines, ({ item }) => item)]
    .map(([item, some]) => ({
      item,
      count: sum(some.map(({ count }) => count)),
      usd: sum(some.map(({ usd }) => usd)),
      lines: some.toSorted((a, b) => b.usd - a.usd),
    }))
    .toSorted((a, b) => b.usd - a.usd);
}

export function usdOf(lines: readonly Line[]): number {
  return sum(lines.map(({ usd }) => usd));
}

function sum(numbers: number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

/** Returns the price of a call; undefined if not the call but its units are billed. */
function priceOf({
  service,
  operation,
  resource,
  requestBytes,
  responseBytes,
  entries,
}: MeteredCall): Omit<Line, "of"> | undefined {
  const { perMillion } = prices;
  const billed = (item: string, count: number, price: number) => ({
    item,
    count,
    usd: (count * price) / 1e6,
  });
  switch (service) {
    case "sqs": {
      const bytes = Math.max(requestBytes, operation === "ReceiveMessage" ? responseBytes : 0);
      const count = Math.ceil(bytes / chunkBytes);
      return resource.endsWith(".fifo")
        ? billed("SQS FIFO calls", count, perMillion.fifoCalls)
        : billed("SQS standard calls", count, perMillion.standardCalls);
    }
    case "s3":
      if (operation === "DELETE") return undefined;
      return operation === "GET" || operation === "HEAD"
        ? billed("S3 GET", 1, perMillion.s3Gets)
        : billed("S3 PUT", 1, perMillion.s3Puts);
    case "events":
      return billed("EventBridge events", entries, perMillion.events);
    case "scheduler":
      // EventBridge Scheduler bills only the invocations of schedules.
      return operation === "POST" ? billed("Scheduler invocations", 1, perMillion.schedules) : undefined;
    case "ses":
      return billed("SES mails", 1, perMillion.mails);
    default:
      return undefined;
  }
}
