import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runIdsInEvent, unfinishedReason } from "../../../local/invoke/invocation.ts";

const events = join(import.meta.dirname, "../../../events");
const sample = (name: string): unknown => JSON.parse(readFileSync(join(events, `${name}.json`), "utf8"));

describe("an event", () => {
  it.each([
    ["read-feed", ["live-20261120T190000Z"]],
    ["validate-records", ["live-20261120T190000Z"]],
    ["public-api", []],
    ["probe-network", []],
  ])("%s → about the runs %j", (name, runs) => {
    expect(runIdsInEvent(sample(name))).toEqual(runs);
  });
});

describe("an answer", () => {
  it.each<[answer: unknown, undone: RegExp | undefined]>([
    [{ batchItemFailures: [] }, undefined],
    [{ batchItemFailures: [{ itemIdentifier: "a" }] }, /^1 message was returned to the queue/],
    [{ batchItemFailures: [{}, {}] }, /^2 messages were returned to the queue/],
    [{ statusCode: 302 }, undefined],
    [{ statusCode: 404, body: "" }, /^the response is 404$/],
    [{ swept: 1 }, undefined],
    [undefined, undefined],
    [null, undefined],
  ])("%j → undone: %s", (answer, undone) => {
    expect(unfinishedReason(answer)).toEqual(
      undone === undefined ? undefined : expect.stringMatching(undone),
    );
  });
});
