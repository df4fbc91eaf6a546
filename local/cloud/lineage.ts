import { createHash } from "node:crypto";

/**
 * How often a chain of messages has passed each function, by a digest of its ARN. The SDK of a function forwards it with each
 * call, in the header of X-Ray; queues and asynchronous invocations keep it.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 */
export type Lineage = ReadonlyMap<string, number>;

/** The header of a call, in lower case. */
export const traceHeader = "x-amzn-trace-id";

/** Lambda says "approximately 16 times". */
export const maxPasses = 16;

/** Lambda does not invoke a function any more: the chain of messages has passed it too often. */
export class RecursiveInvocation extends Error {
  override readonly name = "RecursiveInvocationException";
}

/**
 * The lineage of an invocation, from the headers of what has caused it. AWS does not say what it makes of a batch of several
 * chains; here, the longest one counts.
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

/** How often the chain has passed a function. */
export function passesOf(lineage: Lineage, functionArn: string): number {
  return lineage.get(digestOf(functionArn)) ?? 0;
}

/** The header of the calls that a function makes while it is invoked with this lineage. */
export function headerAfter(lineage: Lineage, functionArn: string): string {
  const passed = new Map(lineage).set(digestOf(functionArn), passesOf(lineage, functionArn) + 1);
  return `Lineage=${[...passed].map(([digest, passes]) => `${digest}:${passes}`).join("|")}`;
}

function digestOf(functionArn: string): string {
  return createHash("sha256").update(functionArn).digest("hex").slice(0, 8);
}
