import { Hono } from "hono";
import { beforeEach, describe, expect, it } from "vitest";
import { onceByKey } from "../../../shared/api/idempotency.ts";
import { answerError } from "../../../shared/runtime/http.ts";
import { memoryKeyedRequests } from "../memory/keyed-requests.ts";

let now: Date;
let done: number;
let fails: boolean;
let app: Hono;
let whileWorking: (() => Promise<unknown>) | undefined;

beforeEach(() => {
  now = new Date("2026-11-20T10:00:00Z");
  done = 0;
  fails = false;
  whileWorking = undefined;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  app = new Hono();
  app.onError((error, context) => answerError(context, error));
  app.post("/tasks", onceByKey({ keyedRequests: memoryKeyedRequests(), clock }), async (context) => {
    done += 1;
    await whileWorking?.();
    if (fails) throw new Error("broken");
    context.header("Location", `/tasks/${done}`);
    return context.json({ done, given: await context.req.text() }, 202);
  });
});

async function post(key: string | undefined, body = "a", query = "") {
  const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
  const answer = await app.request(`/tasks${query}`, { method: "POST", headers, body });
  return { status: answer.status, location: answer.headers.get("location"), body: await answer.json() };
}

describe("Idempotency-Key", () => {
  it("a repeat → the first answer with its headers, and nothing is done", async () => {
    const first = await post("k");
    expect(first).toEqual({ status: 202, location: "/tasks/1", body: { done: 1, given: "a" } });
    expect(await post("k")).toEqual(first);
    expect(done).toBe(1);
  });

  it("no key, or another one → done again", async () => {
    for (const key of [undefined, undefined, "k", "l"]) await post(key);
    expect(done).toBe(4);
  });

  it.each([
    ["another body", "b", ""],
    ["another query", "a", "?x=1"],
  ])("%s → 422 that names the key, and nothing is done", async (_what, body, query) => {
    await post("k");
    const other = await post("k", body, query);
    expect(other).toMatchObject({ status: 422, body: { field: "Idempotency-Key", value: "k" } });
    expect(done).toBe(1);
  });

  it("a repeat while the first is under way → 409", async () => {
    let meanwhile: unknown;
    whileWorking = async () => {
      whileWorking = undefined;
      meanwhile = await post("k");
    };
    expect((await post("k")).status).toBe(202);
    expect(meanwhile).toMatchObject({ status: 409 });
    expect(done).toBe(1);
  });

  it("a repeat of one that was killed → done, when no function can be at it any more", async () => {
    // The first one never answers.
    whileWorking = () => new Promise(() => {});
    void post("k");
    await expect.poll(() => done).toBe(1);
    whileWorking = undefined;
    now = new Date(now.getTime() + 59_000);
    expect((await post("k")).status).toBe(409);
    now = new Date(now.getTime() + 2_000);
    expect((await post("k")).status).toBe(202);
    expect(done).toBe(2);
  });

  it("a repeat after an error of ours → done again", async () => {
    fails = true;
    expect((await post("k")).status).toBe(500);
    fails = false;
    expect((await post("k")).status).toBe(202);
    expect(done).toBe(2);
  });

  it.each(["", "a b", "x".repeat(256)])("the key %j → 400, and nothing is done", async (key) => {
    expect(await post(key)).toMatchObject({ status: 400, body: { field: "Idempotency-Key" } });
    expect(done).toBe(0);
  });
});
