import { describe, expect, expectTypeOf, it } from "vitest";
import type { Answer } from "../../../shared/api/route-table.ts";
import { type Api, ApiRefusal, createApi } from "../../../shared/console/api.ts";
import { fakeApi } from "./console-request.ts";

function apiOf(answers: Record<string, unknown>): { api: Api; calls: ReturnType<typeof fakeApi>["calls"] } {
  const { send, calls } = fakeApi(answers);
  return { api: createApi(send, "token"), calls };
}

/** What it says is for the type check alone: none of these calls is sent. */
function mistypedCalls(api: Api) {
  return [
    // @ts-expect-error a page cannot name the type of an answer
    () => api.get<{ runs: string[] }>("/runs", {}),
    // @ts-expect-error nor take an answer for something else
    (): Promise<{ runs: string[] }> => api.get("/runs", {}),
    // @ts-expect-error nor read what the route does not answer
    async () => (await api.get("/runs", {})).sources,
    // @ts-expect-error no route has this path
    () => api.get("/run", {}),
    // @ts-expect-error no route has this method with this path
    () => api.send("DELETE /runs", {}),
    // @ts-expect-error the path needs an id
    () => api.get("/runs/{id}", {}),
    // @ts-expect-error the route has no such parameter
    () => api.get("/runs", { sort: "asc" }),
    // @ts-expect-error the answer has no such list
    () => api.all("/runs", "sources", {}),
  ];
}

describe("a call of the API by a page", () => {
  it("names its route alone → has the type of that route's answer", async () => {
    expect(mistypedCalls(apiOf({}).api)).toHaveLength(8);
    expectTypeOf<Answer<"GET /runs">["runs"][number]["state"]>().toEqualTypeOf<
      "starting" | "harvesting" | "delivering" | "finished" | "failed"
    >();
    expectTypeOf<Answer<"DELETE /sources/{id}">>().toEqualTypeOf<undefined>();
  });

  it("of a route with several statuses → the status says which answer it is", async () => {
    const { api } = apiOf({ "POST /config/import": { result: "/config/imports/i" } });
    const done = await api.send("POST /config/import", {});
    if (!done.ok) throw new ApiRefusal(done.problem);
    if (done.status === 202) expectTypeOf(done.body.result).toEqualTypeOf<string>();
    else expectTypeOf(done.body.type).toEqualTypeOf<"imported">();
    expect(done.body).toEqual({ result: "/config/imports/i" });
  });

  it("with parameters → those in braces in the path, encoded, and the others in the query", async () => {
    const { api, calls } = apiOf({ "GET /runs/a%2Fb": { sources: [] } });
    await api.get("/runs/{id}", { id: "a/b", q: "x y", outcome: undefined, limit: 5 });
    expect(calls.map(({ path }) => path)).toEqual(["/runs/a%2Fb?q=x+y&limit=5"]);
  });

  it("refused → throws the problem, or gives it", async () => {
    const { api } = apiOf({});
    await expect(api.get("/today", {})).rejects.toThrow(ApiRefusal);
    expect(await api.send("GET /today", {})).toMatchObject({ ok: false, problem: { status: 404 } });
  });
});
