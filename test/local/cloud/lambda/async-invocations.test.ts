import { expect, it, vi } from "vitest";
import type { Resolver } from "../../../../local/cloud/cloudformation/resolver.ts";
import { createAsyncInvocations } from "../../../../local/cloud/lambda/async-invocations.ts";
import { TooManyRequests } from "../../../../local/cloud/lambda/concurrency.ts";
import { RecursiveInvocation } from "../../../../local/cloud/lineage.ts";
import { inputOf, jsonResponse, operationOf, type Service } from "../../../../local/cloud/service.ts";

const location = { region: "r", account: "000000000000", gatewayUrl: "http://localhost", apiUrl: "" };

/** Invokes a function that throws, until nothing is to be tried again. @returns the delays, and the outcome of it */
async function outcomeOf(error: Error, config: object) {
  const waiting: { MessageBody: string; DelaySeconds: number }[] = [];
  const delays: number[] = [];
  let failure: { requestContext: object; requestPayload: object } | undefined;
  const sqs: Service = async (request) => {
    if (operationOf(request) === "SendMessage") {
      const message = inputOf<{ QueueUrl: string; MessageBody: string; DelaySeconds: number }>(request);
      if (message.QueueUrl.endsWith("/failures")) failure = JSON.parse(message.MessageBody);
      else waiting.push(message);
    }
    return jsonResponse(200, {});
  };
  const FunctionName = "arn:aws:lambda:r:000000000000:function:f";
  const Destination = "arn:aws:sqs:r:000000000000:failures";
  const properties = { FunctionName, DestinationConfig: { OnFailure: { Destination } }, ...config };
  // The one method of a resolver.
  const resolver = { resourcesOfType: () => [{ properties }] } as unknown as Resolver;
  const invoke = async () => {
    throw error;
  };
  const f = { name: "f", arn: FunctionName, timeoutMs: 1000, caller: {}, invoke };
  const access = { assertCaller: () => {} };
  // What the invocations use of a function, and of the permissions.
  const options = { sqs, location, functions: new Map([["f", f]]), access } as unknown as Parameters<
    typeof createAsyncInvocations
  >[1];
  vi.useFakeTimers({ now: 0 });
  try {
    const invocations = await createAsyncInvocations(resolver, options);
    await invocations.send("f", { a: 1 });
    for (;;) {
      const message = waiting.shift();
      if (message === undefined) break;
      if (message.DelaySeconds > 0) delays.push(message.DelaySeconds);
      vi.advanceTimersByTime(message.DelaySeconds * 1000);
      await invocations.source.target.invoke({ Records: [{ body: message.MessageBody }] });
    }
  } finally {
    vi.useRealTimers();
  }
  return { delays, failure };
}

const broken = new TypeError("it is broken");
const recursive = new RecursiveInvocation("It has passed too often.");
const throttled = new TooManyRequests("Rate Exceeded.");

it.each<[string, Error, object, number[], string]>([
  ["fails", broken, {}, [60, 120], "RetriesExhausted"],
  ["fails, without retries", broken, { MaximumRetryAttempts: 0 }, [], "RetriesExhausted"],
  ["has come by a loop", recursive, {}, [], "RecursiveInvocationException"],
  ["fails until it is too old", broken, { MaximumEventAgeInSeconds: 60 }, [60], "EventAgeExceeded"],
  [
    "is throttled until it is too old",
    throttled,
    { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
    Array(60).fill(1),
    "EventAgeExceeded",
  ],
])(
  "an event that %s → tried again after its delays, then where failures go",
  async (_title, error, config, delays, condition) => {
    const outcome = await outcomeOf(error, config);
    expect(outcome.delays).toEqual(delays);
    expect(outcome.failure).toMatchObject({ requestContext: { condition }, requestPayload: { a: 1 } });
  },
);
