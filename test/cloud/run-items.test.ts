import { beforeAll, expect, it } from "vitest";
import { emptyListingResult } from "../../shared/harvest/listing/listing-results.ts";
import { outboundRequest } from "../../shared/web/request/request.ts";
import type { InboundResponse } from "../../shared/web/request/response.ts";
import { sharedCloud } from "./local-cloud.ts";

beforeAll(async () => {
  await sharedCloud();
});

it("whatever stands under a run → is let go some day", async () => {
  const { runStore } = await import("../../shared/adapters/records/run-store.ts");
  const { waitingArticles } = await import("../../shared/harvest/stores/waiting-articles.ts");
  const { queryAll } = await import("../../shared/adapters/aws/dynamodb.ts");
  const { variable } = await import("../../shared/adapters/aws/environment.ts");
  const runId = "live-20261120T190000Z";
  const response: InboundResponse = {
    request: outboundRequest.parse({ id: "a", kind: "article", url: "https://j.example/a" }),
    outcome: { type: "refused", reason: "robots", detail: "", hops: [] },
  };
  const at = { requestId: "a", sourceId: "s", url: "https://j.example/a" };
  const runs = runStore();
  await runs.create({
    runId,
    deliveryMode: "LIVE",
    state: "starting",
    startedAt: "2026-11-20T19:00:00Z",
    deadlineAt: "2026-11-20T22:00:00Z",
  });
  await runs.updateTally(runId, "sources", { opened: ["s"], closed: ["s"] });
  await runs.claimRequests(runId, "s", { ids: ["a"], claimant: "feed" });
  await runs.storeListingResult(runId, "feed", emptyListingResult({ sourceId: "s", title: "S" }));
  await runs.saveOutcome(runId, { ...at, state: "dropped", reason: "no-title" });
  await runs.finishStage(runId, "validate", {});
  await waitingArticles().add(runId, response, ["name"]);

  const items = await queryAll<{ part: string; expiresAt?: number }>({
    TableName: variable("runsTable"),
    KeyConditionExpression: "runId = :runId",
    ExpressionAttributeValues: { ":runId": runId },
  });
  const isLetGo = ({ expiresAt = 0 }: { expiresAt?: number }) => expiresAt > Date.now() / 1000 + 86_400;
  expect(items.map((item) => [item.part, isLetGo(item)])).toEqual(
    ["claim#s#a", "document#s#a", "lookup#name", "run", "source#s#feed", "stage#validate", "tally#sources/4"]
      .concat("waiting#a")
      .map((part) => [part, true]),
  );
});
