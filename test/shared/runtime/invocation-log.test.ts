import middy from "@middy/core";
import type { Context } from "aws-lambda";
import { afterEach, expect, it, vi } from "vitest";
import { PlatformError } from "../../../shared/core/errors.ts";
import { invocationLog } from "../../../shared/runtime/invocation-log.ts";

afterEach(() => vi.restoreAllMocks());

function watched(work: () => Promise<string>) {
  const lines: unknown[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(JSON.parse(line)));
  const handler = middy<unknown, string>()
    .use(invocationLog((event, answer) => ({ event, answer })))
    .handler(work);
  return { lines, invoke: () => handler("an event", {} as Context) };
}

it("an invocation that ends well → logged once with what was done and how long it took", async () => {
  const { lines, invoke } = watched(async () => "done");
  expect(await invoke()).toBe("done");
  const durationMs = expect.any(Number);
  expect(lines).toEqual([
    { level: "info", message: "the invocation is done", durationMs, event: "an event", answer: "done" },
  ]);
});

it("one that ends with an error → logged once with its kind, its text and its cause, and thrown on", async () => {
  const error = new PlatformError("no table", { cause: new Error("it timed out") });
  const { lines, invoke } = watched(async () => {
    throw error;
  });
  await expect(invoke()).rejects.toBe(error);
  expect(lines).toMatchObject([
    {
      level: "error",
      message: "the invocation failed",
      error: "PlatformError",
      detail: "no table",
      cause: "Error: it timed out",
    },
  ]);
});
