import { expect, it } from "vitest";
import { memoryAuthorities } from "../../../../local/cli/harvest/memory-stores.ts";
import { outboundRequest } from "../../../../shared/web/request/request.ts";
import type { InboundResponse } from "../../../../shared/web/request/response.ts";

it("an article whose items wait for names one after the other → one entry, with all names", async () => {
  const { waiting } = memoryAuthorities();
  const response: InboundResponse = {
    request: outboundRequest.parse({ id: "a", kind: "article", url: "https://j.example/a" }),
    outcome: { type: "refused", reason: "robots", detail: "", hops: [] },
  };
  await waiting.add("run", response, ["one", "both"]);
  await waiting.add("run", response, ["two", "both"]);
  for (const id of ["one", "two", "both"])
    expect(await waiting.waitingFor("run", id)).toEqual([{ response, lookupIds: ["one", "both", "two"] }]);
  expect(await waiting.waitingFor("run", "another")).toEqual([]);
});
