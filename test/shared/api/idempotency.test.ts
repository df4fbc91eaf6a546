import { Hono } from "hono";
import { beforeEach, describe, expect, it } from "vitest";
import { createApp, createAppOfParts } from "../../../shared/api/create-app.ts";
import { doneOnceByKey } from "../../../shared/api/idempotency.ts";
import { askForRoles } from "../../../shared/api/role-guard.ts";
import { routesOver, type Subject } from "../../../shared/api/route.ts";
import { InputError, PlatformError } from "../../../shared/core/errors.ts";
import { answerError } from "../../../shared/runtime/http.ts";
import { memoryKeyedRequests } from "../memory/keyed-requests.ts";

let now: Date;
let done: number;
let failure: Error | undefined;
let app: Hono;
let whileWorking: (() => Promise<unknown>) | undefined;

beforeEach(() => {
  now = new Date("2026-11-20T10:00:00Z");
  done = 0;
  failure = undefined;
  whileWorking = undefined;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const task = routesOver<object>()({
    method: "POST",
    path: "/tasks",
    summary: "Does a task",
    query: "ignored",
    answers: {},
    handler: () => async (context) => {
      done += 1;
      await whileWorking?.();
      if (failure) throw failure;
      context.header("Location", `/tasks/${done}`);
      return context.json({ done, given: await context.req.text() }, 202);
    },
  });
  const subject: Subject<object> = { title: "Tasks", introduction: "", audience: "operator", routes: [task] };
  const keyed = { keyedRequests: memoryKeyedRequests(), clock };
  // As the function of the operators' API chains them: an error passes every middleware on its way to `onError`.
  const chained = createAppOfParts({ tasks: async () => [subject] }, (subjects) =>
    createApp(askForRoles(doneOnceByKey(subjects, keyed)), {}),
  );
  app = new Hono().route("/", chained);
  app.onError((error, context) => answerError(context, error));
});

const claims = { sub: "anna", "cognito:groups": ["operator"] };
const env = { event: { requestContext: { authorizer: { jwt: { claims } } } } };

async function post(key: string | undefined, body = "a", query = "") {
  const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
  const answer = await app.request(`/tasks${query}`, { method: "POST", headers, body }, env);
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

  it("a repeat while the first is in progress → 409", async () => {
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

  it.each([
    [500, new Error("broken")],
    [400, new InputError("title", "", "must not be empty")],
    [503, new PlatformError("the table does not answer")],
  ])("a repeat after %i → done again, at once", async (status, error) => {
    failure = error;
    expect((await post("k")).status).toBe(status);
    expect((await post("k")).status).toBe(status);
    done = 1;
    failure = undefined;
    expect((await post("k")).status).toBe(202);
    expect(done).toBe(2);
  });

  it.each(["", "a b", "x".repeat(256)])("the key %j → 400, and nothing is done", async (key) => {
    expect(await post(key)).toMatchObject({ status: 400, body: { field: "Idempotency-Key" } });
    expect(done).toBe(0);
  });
});
