import { createHash } from "node:crypto";

/**
 * How often a chain of messages has passed each function, by a digest of the function's ARN. A function's SDK
 * forwards the lineage with each call, in the X-Ray header; queues and asynchronous invocations store it.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 */
export type Lineage = ReadonlyMap<string, number>;

/** The name of the X-Ray header, in lower case. */
export const traceHeader = "x-amzn-trace-id";

/** The maximum number of passes. The documentation says "approximately 16 times". */
export const maxPasses = 16;

/** Lambda refuses to invoke a function, because the chain of messages has passed the function too often. */
export class RecursiveInvocation extends Error {
  override readonly name = "RecursiveInvocationException";
}

/**
 * Reads the lineage of an invocation from the headers of the calls that caused it. AWS does not document the
 * lineage of a batch from several chains; here, the longest chain counts.
 */
export function readLineage(headers: readonly (string | undefined)[]): Lineage {
  const lineage = new Map<string, number>();
  for (const header of headers) {
    const [, text = ""] = /(?:^|;)Lineage=([^;]*)/.exec(header ?? "") ?? [];
    for (const [, digest = "", passes] of text.matchAll(/([0-9a-f]+):(\d+)/g))
      lineage.set(digest, Math.max(lineage.get(digest) ?? 0, Number(passes)));
  }
  return lineage;
}

/** Returns how often the chain has passed a function. */
export function passesOf(lineage: Lineage, functionArn: string): number {
  return lineage.get(digestOf(functionArn)) ?? 0;
}

/** Returns the header for the calls that a function makes during an invocation with this lineage. */
export function headerAfter(lineage: Lineage, functionArn: string): string {
  const passed = new Map(lineage).set(digestOf(functionArn), passesOf(lineage, functionArn) + 1);
  return `Lineage=${[...passed].map(([digest, passes]) => `${digest}:${passes}`).join("|")}`;
}

function digestOf(functionArn: string): string {
  return createHash("sha256").update(functionArn).digest("hex").slice(0, 8);
}
