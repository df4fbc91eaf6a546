import { describe, expect, it } from "vitest";
import { memoryValidators } from "../../../../local/cli/memory/gate-stores.ts";
import { validatorsKey } from "../../../../shared/web/chain/conditional.ts";
import { EarlierAnswers } from "../../../../shared/web/gate/earlier-answers.ts";
import { outboundRequest } from "../../../../shared/web/request/request.ts";

const requests = ["a", "b", "a"].map((path, index) =>
  outboundRequest.parse({ id: `r${index}`, kind: "article", url: `https://host.example/${path}` }),
);
const answer = { etag: '"1"', bodyKey: "bodies/b", fetchedAt: "2026-11-20T20:00:00Z" };

function counting() {
  const validators = memoryValidators(new Map([[validatorsKey(requests[1] as never) ?? "", answer]]));
  const reads: string[][] = [];
  const recallAll = (keys: string[]) => {
    reads.push(keys);
    return validators.recallAll(keys);
  };
  return { reads, earlier: new EarlierAnswers({ ...validators, recallAll }, requests) };
}

describe("the earlier responses to a batch of requests", () => {
  it("all sent soon → one read, and one more for what is sent twice", async () => {
    const { reads, earlier } = counting();
    const answers = [];
    for (const request of requests) answers.push(await earlier.to(request, true));
    expect(answers).toEqual([undefined, answer, undefined]);
    expect(reads.map(({ length }) => length)).toEqual([2, 1]);
  });

  it("the others sent later → the one that is sent", async () => {
    const { reads, earlier } = counting();
    expect(await earlier.to(requests[1] as never, false)).toEqual(answer);
    expect(reads.map(({ length }) => length)).toEqual([1]);
  });

  it("that are never conditional → no read", async () => {
    const { reads, earlier } = counting();
    const post = outboundRequest.parse({
      id: "p",
      kind: "article",
      url: "https://host.example/",
      method: "POST",
    });
    expect(await earlier.to(post, true)).toBeUndefined();
    expect(reads).toEqual([]);
  });
});
