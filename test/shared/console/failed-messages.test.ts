import { describe, expect, it } from "vitest";
import { pages } from "../../../shared/operations/pages/pages.ts";
import { bodyOf, consoleRequest } from "./console-request.ts";

function pageAt(method: string, path: string) {
  const page = pages.find((each) => each.method === method && each.path === path);
  if (page === undefined) throw new Error(`there is no page ${method} ${path}`);
  return page;
}

describe("Failed messages", () => {
  const messages = [
    {
      ...{ id: "17-m", messageId: "m", queue: "ingather-feed-responses", reason: "<bad> bytes", receives: 5 },
      ...{ failedAt: "2026-11-22T19:00:00Z", subject: { runId: "r", sourceId: "s" } },
    },
  ];
  const show = (role: "viewer" | "operator") =>
    pageAt("GET", "/console/failed-messages").answer(
      consoleRequest("/console/failed-messages", { answers: { "GET /failed-messages": { messages } }, role }),
    );

  it("one → its queue, what it is about, and the reason as text; an operator may retry or discard it", async () => {
    const body = await bodyOf(await show("operator"));
    for (const text of [
      "ingather-feed-responses",
      "runId r, sourceId s",
      "&lt;bad&gt; bytes",
      "Retry",
      "Discard",
    ])
      expect(body).toContain(text);
    expect(await bodyOf(await show("viewer"))).not.toContain("Retry");
  });

  it.each([
    ["retry", "POST", "/failed-messages/17-m/retry", "in its queue again"],
    ["discard", "DELETE", "/failed-messages/17-m", "discarded"],
  ])("%s → asks the API, and says so", async (act, method, path, said) => {
    const answers = { [`${method} ${path}`]: { status: 204 } };
    const request = consoleRequest("/console/failed-messages/17-m", {
      answers,
      params: { id: "17-m" },
      form: { act },
    });
    const answer = await pageAt("POST", "/console/failed-messages/{id}").answer(request);
    expect(request.calls.map((call) => [call.method, call.path])).toEqual([[method, path]]);
    expect(answer).toMatchObject({
      redirect: "/console/failed-messages",
      notice: { text: expect.stringContaining(said) },
    });
  });
});

describe("a run that waits for sources", () => {
  const unfinished = [
    {
      ...{ runId: "live-20261122T190000Z", mode: "LIVE", startedAt: "2026-11-22T19:00:00Z", openCount: 30 },
      ...{ softDeadlineAt: "2026-11-22T20:00:00Z", deadlineAt: "2026-11-22T22:00:00Z" },
      sources: [
        {
          ...{ sourceId: "s", title: "Bees & birds", hostKey: "slow.example", waitsFor: "back-off" },
          until: "2026-11-22T19:40:00Z",
        },
      ],
    },
  ];
  const answers = { "GET /today": { needs: [], nextRuns: [], unfinished }, "GET /runs": { runs: [] } };

  it("Today → how many, for which, what each waits for, until when at most, and a button that skips it", async () => {
    const body = await bodyOf(
      await pageAt("GET", "/console").answer(consoleRequest("/console", { answers })),
    );
    for (const text of [
      ...["The run waits for 30 sources", "Bees &amp; birds", "slow.example", "back-off or Retry-After"],
      ...["20:40", "21:00", "23:00", "/console/skip"],
    ])
      expect(body).toContain(text);
    const viewer = consoleRequest("/console", { answers, role: "viewer" });
    expect(await bodyOf(await pageAt("GET", "/console").answer(viewer))).not.toContain("/console/skip");
  });

  it("Skip → asks the API with the reason, and offers to harvest the source in a run of its own", async () => {
    const path = "/runs/live-20261122T190000Z/sources/s/skip";
    const form = { run: "live-20261122T190000Z", source: "s", reason: "down" };
    const request = consoleRequest("/console/skip", { answers: { [`POST ${path}`]: { status: 204 } }, form });
    expect(await pageAt("POST", "/console/skip").answer(request)).toMatchObject({
      redirect: "/console",
      notice: { undo: { to: "/console/runs", fields: { mode: "LIVE", source: "s" }, label: "Harvest now" } },
    });
    expect(request.calls).toMatchObject([{ method: "POST", path, body: { reason: "down" } }]);
  });
});
