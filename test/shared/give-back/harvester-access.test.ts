import { describe, expect, it } from "vitest";
import { createApp } from "../../../shared/api/create-app.ts";
import { harvesterKeys } from "../../../shared/give-back/routes/harvester-access.ts";
import { oaiSubject } from "../../../shared/give-back/routes/oai-routes.ts";
import { GivenWorld } from "./world.ts";

const world = new GivenWorld();
let secret = '{"vufind": "a:b", "primo": "c"}';
const access = harvesterKeys({ secret: async () => secret }, world.clock);
const app = createApp([oaiSubject], { ...world.ports, access });
const open = createApp([oaiSubject], { ...world.ports, access: "anybody" });

const basic = (login: string) => ({ authorization: `Basic ${Buffer.from(login).toString("base64")}` });

describe("GET /oai of a deployment with keys", () => {
  it.each([
    ["the name and the key", basic("primo:c"), 200],
    ["a key with a colon", basic("vufind:a:b"), 200],
    [
      "the scheme in other letters",
      { authorization: basic("primo:c").authorization.replace("Basic", "basic") },
      200,
    ],
    ["no header", {}, 401],
    ["another key", basic("primo:d"), 401],
    ["the key of another name", basic("vufind:c"), 401],
    ["an unknown name", basic("nobody:c"), 401],
    ["a name of every object", basic("constructor:c"), 401],
    ["no key", basic("primo:"), 401],
    ["no name", basic(":c"), 401],
    ["another scheme", { authorization: "Bearer c" }, 401],
    ["what is not base64", { authorization: "Basic §" }, 401],
  ])("%s → %s is %i", async (_what, headers, status) => {
    const response = await app.request("/oai?verb=Identify", { headers });
    expect(response.status).toBe(status);
    expect(response.headers.has("www-authenticate")).toBe(status === 401);
    expect((await open.request("/oai?verb=Identify", { headers })).status).toBe(200);
  });

  it("a changed key → counts after a minute", async () => {
    secret = '{"primo": "new"}';
    const ask = async () => (await app.request("/oai?verb=Identify", { headers: basic("primo:new") })).status;
    expect(await ask()).toBe(401);
    world.now = new Date(world.now.getTime() + 61_000);
    expect(await ask()).toBe(200);
  });
});
