import { describe, expect, it } from "vitest";
import { buildRunId, runStart } from "../../../shared/records/runs/run.ts";
import { runId, start } from "./reader-world.ts";

describe("the id of a run", () => {
  it("the same moment in any offset → the same run", () => {
    expect(buildRunId(start)).toBe(runId);
    expect(buildRunId({ deliveryMode: "LIVE", scheduledTime: "2026-11-20T19:00:00.000Z" })).toBe(runId);
    expect(buildRunId({ deliveryMode: "TEST", scheduledTime: "2026-11-20T19:00:00Z" })).toBe(
      "test-20261120T190000Z",
    );
  });

  it("previews of two sources at the same moment → two runs", () => {
    const [one, other] = ["a", "b"].map((sourceId) =>
      buildRunId({ ...start, deliveryMode: "NONE", sourceIds: [sourceId] }),
    );
    expect(one).toMatch(/^none-20261120T190000Z-[\w-]{16}$/);
    expect(other).not.toBe(one);
  });

  it.each([
    [{ ...start, deliveryMode: "DAILY" }, "deliveryMode"],
    [{ ...start, deliveryMode: "NONE" }, "sourceIds"],
    [{ ...start, newest: 0 }, "newest"],
    [{ ...start, scheduledTime: "today" }, "scheduledTime"],
    [{ ...start, sourceIds: [] }, "sourceIds"],
  ])("%j → refused, naming %s", (value, field) => {
    expect(runStart.safeParse(value).error?.issues[0]?.path).toEqual([field]);
  });
});
