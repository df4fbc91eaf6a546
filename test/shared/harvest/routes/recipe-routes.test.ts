import { beforeEach, describe, expect, it } from "vitest";
import { readDetectionResponse } from "../../../../shared/harvest/detect/read-detection-response.ts";
import type { RequestedTrial } from "../../../../shared/harvest/recipes/recipe-trial.ts";
import type { RecipeTrial } from "../../../../shared/harvest/recipes/try-recipe.ts";
import { recipeSubject } from "../../../../shared/harvest/routes/recipe-routes.ts";
import { bodyOfKey } from "../../../../shared/web/gate/message-body.ts";
import { type NewRequest, outboundRequest } from "../../../../shared/web/request/request.ts";
import { type InboundResponse, inboundResponse } from "../../../../shared/web/request/response.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";

let memory: MemoryPorts;
let trials: Map<string, RequestedTrial>;
let requested: NewRequest[];
let sent: InboundResponse[];
beforeEach(() => {
  memory = new MemoryPorts();
  memory.addGroup("G");
  trials = new Map();
  requested = [];
  sent = [];
});

const recipeTrials = {
  create: async (trial: RequestedTrial) => void trials.set(trial.trialId, trial),
  finish: async (id: string, trial: RecipeTrial) => {
    const started = trials.get(id);
    if (started !== undefined) trials.set(id, { trial, ...started });
  },
  get: async (id: string) => trials.get(id),
};

function ports() {
  return {
    recipes: memory.recipes,
    recipeTrials,
    sources: memory.sources,
    configuration: {
      page: async () => [...memory.groups.keys()].map((id) => ({ kind: "group" as const, id, value: {} })),
    },
    requests: { send: async (requests: NewRequest[]) => void requested.push(...requests) },
    trialPages: { send: async (response: InboundResponse) => void sent.push(response) },
    clock: memory.clock,
    newId: () => "t",
  };
}

async function request(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await serve([recipeSubject], ports()).request(`/recipes${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

/** Reads the pages of trials as the reader of detections does, each twice. */
async function readTrials(page: string) {
  const responses = requested.map(
    (one): InboundResponse => ({
      request: outboundRequest.parse(one),
      outcome: {
        type: "answered",
        status: 200,
        url: one.url,
        hops: [],
        headers: {},
        bodyKey: "page",
        elapsedMs: 1,
      },
    }),
  );
  for (const response of [...responses, ...sent].flatMap((each) => [each, each])) {
    const load = async (key: string) => bodyOfKey(key) ?? new TextEncoder().encode(page);
    const detections = { finish: async () => expect.fail("it is no detection") };
    await readDetectionResponse(inboundResponse.parse(response), {
      detections,
      recipeTrials,
      requests: { send: async () => undefined },
      bodies: { load },
    });
  }
}

const toml =
  '# The volume is in the text.\nname = "Bees"\nhosts = ["bees.example"]\n[fields]\nvolume = { css = ".v" }\n';
const other = toml.replace(".v", ".w");
const etag = expect.stringMatching(/^"\S+"$/);

describe("/recipes", () => {
  it("PUT → returned as it was written, and listed with the built-in ones, by id", async () => {
    const whole = { id: "bees", name: "Bees", hosts: ["bees.example"], origin: "own", proof: "none", etag };
    expect(await request("PUT", "/bees", { toml })).toEqual({ status: 200, body: { ...whole, toml } });
    expect((await request("GET", "/bees")).body).toEqual({ ...whole, toml });
    const { recipes } = (await request("GET", "")).body;
    expect(recipes).toContainEqual(whole);
    expect(recipes).toContainEqual(
      expect.objectContaining({ id: "acl-anthology", origin: "built-in", proof: "saved-page" }),
    );
    const ids = recipes.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted());
    const first = (await request("GET", "?limit=2")).body;
    expect(first).toMatchObject({ recipes: [{ id: ids[0] }, { id: ids[1] }], next: ids[1] });
    const rest = (await request("GET", `?after=${first.next}`)).body;
    expect(rest.recipes.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect(rest).not.toHaveProperty("next");
  });

  it("the id of a built-in one → replaces it, until it is deleted", async () => {
    expect((await request("GET", "/acs")).body).toMatchObject({
      origin: "built-in",
      name: "American Chemical Society",
    });
    await request("PUT", "/acs", { toml });
    expect((await request("GET", "/acs")).body).toMatchObject({ origin: "changed", toml });
    expect((await request("DELETE", "/acs")).status).toBe(204);
    expect((await request("GET", "/acs")).body).toMatchObject({ origin: "built-in" });
    expect(await request("DELETE", "/acs")).toMatchObject({
      status: 404,
      body: { field: "id", value: "acs" },
    });
  });

  it("two operators edit the same recipe → the second one gets 412, and the first one's stays", async () => {
    const version = (await request("PUT", "/bees", { toml })).body.etag;
    const mine = { "if-match": version };
    expect((await request("PUT", "/bees", { toml: other }, mine)).status).toBe(200);
    expect(await request("PUT", "/bees", { toml: `${toml}\n` }, mine)).toMatchObject({
      status: 412,
      body: { field: "If-Match" },
    });
    expect((await request("DELETE", "/bees", undefined, mine)).status).toBe(412);
    expect((await request("GET", "/bees")).body.toml).toBe(other);
    expect((await request("PUT", "/bees", { toml }, { "if-none-match": "*" })).status).toBe(412);
    expect((await request("PUT", "/wasps", { toml }, { "if-none-match": "*" })).status).toBe(200);
    expect((await request("PUT", "/none", { toml }, mine)).status).toBe(412);
  });

  it("two operators at the same moment → one of them gets 412", async () => {
    const { etag: version } = (await request("PUT", "/bees", { toml })).body;
    const both = await Promise.all(
      [other, `${toml}\n`].map((each) => request("PUT", "/bees", { toml: each }, { "if-match": version })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it.each([
    [{ toml: "name =" }, "toml", "line 1, column 7"],
    [{ toml: toml.replace("css", "cs") }, "fields.volume.0.cs", "is unknown here"],
    [{ toml: toml.replace(".v", "p:x") }, "fields.volume.0.css", '":x" is not supported'],
    [{}, "toml", "is missing"],
  ])("PUT %j → 400 that names %s", async (body, field, detail) => {
    const refused = await request("PUT", "/bees", body);
    expect(refused).toMatchObject({ status: 400, body: { field } });
    expect(refused.body.detail).toContain(detail);
    expect(memory.recipesById.size).toBe(0);
  });

  it("a stored recipe that this version refuses → listed with the problem", async () => {
    memory.recipesById.set("old", "name = 1");
    expect((await request("GET", "/old")).body).toMatchObject({
      problem: expect.stringContaining("name"),
      proof: "none",
    });
  });
});

describe("/recipes/try", () => {
  const page = "<title>On Bees</title><meta name=citation_title content=Bees><p class=v>Vol. 12";
  const field = { field: "volume", values: ["12"], from: "css .v", isUsed: true };

  it("with the text of a page → nothing is requested; the result follows", async () => {
    const started = await request("POST", "/try", { toml, html: page, url: "https://www.bees.example/1" });
    expect(started).toEqual({ status: 202, body: { status: "running", result: "/recipes/trials/t" } });
    expect(await request("GET", "/trials/t")).toMatchObject({ status: 202, body: { status: "running" } });
    await readTrials("");
    expect(requested).toEqual([]);
    expect((await request("GET", "/trials/t")).body).toEqual({
      status: "finished",
      url: "https://www.bees.example/1",
      toml,
      requestedAt: memory.clock.now().toISOString(),
      isForPage: true,
      fields: [field],
      problems: [],
    });
  });

  it("with an address → the page is requested as its group", async () => {
    await request("POST", "/try", { toml, url: "https://wasps.example/1" });
    expect(requested).toMatchObject([
      { kind: "detection", url: "https://wasps.example/1", userAgent: "test" },
    ]);
    await readTrials(page);
    expect((await request("GET", "/trials/t")).body).toMatchObject({ isForPage: false, fields: [field] });
  });

  it.each([
    [{ toml }, "url"],
    [{ toml: "name =", html: page }, "toml"],
    [{ toml, html: Array.from({ length: 200_000 }, (_, at) => (at * 7919) % 9973).join(" ") }, "html"],
  ])("without a page, with a wrong recipe or a page too long → 400: %#", async (body, wrong) => {
    expect(await request("POST", "/try", body)).toMatchObject({ status: 400, body: { field: wrong } });
    expect(trials.size).toBe(0);
  });

  it("an unknown trial → 404", async () => {
    expect((await request("GET", "/trials/none")).status).toBe(404);
  });
});
