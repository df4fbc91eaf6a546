import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { type LocalSparqlEndpoint, startSparqlEndpoint } from "../../local/demo/sparql-endpoint.ts";
import { localGroup } from "../../local/local-group.ts";
import { parseCheckedSet } from "../../shared/check-set/checked-set.ts";
import { registerPublished } from "../../shared/check-set/set-sparql.ts";
import { functionNames } from "../../shared/names.ts";
import { list, record, relation, startRepository } from "../shared/check-set/repository.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

let cloud: LocalCloud;
let token: string;
let repository: Awaited<ReturnType<typeof startRepository>>;
let sparql: LocalSparqlEndpoint;

const ark = relation("ark:/80444/xv43658");
const pages: Record<string, string> = {
  "": list(record(1, ark) + record(2), "t1", ' completeListSize="5"'),
  t1: list(record(3, ark) + record(4, relation("ark:/80444/xv1")), "t2"),
  t2: list(record(5, ark)),
};
/** Pages that are not answered before the test lets them. */
let held: Promise<void> | undefined;

beforeAll(async () => {
  repository = await startRepository();
  repository.answer = (url) => ({
    body: pages[url.searchParams.get("resumptionToken") ?? ""] ?? "",
    after: held,
  });
  sparql = await startSparqlEndpoint({
    seed: registerPublished(
      { sourceId: "m", service: `${repository.origin}/oai`, spec: "matsura", metadataPrefix: "oai_dc" },
      ["dpla"],
    ),
  });
  cloud = await testCloud(stateFolder(), {
    allowedPrivateHosts: [new URL(repository.origin).host],
    sparqlEndpoint: sparql.url,
  });
  token = await cloud.issueToken({ sub: "operator@localhost" });
});
afterAll(() => repository.close());
beforeEach(() => repository.requests.splice(0));

const setUrl = (spec: string) =>
  `${repository.origin}/oai?verb=ListRecords&metadataPrefix=oai_dc&set=${spec}`;

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(cloud.apiUrl + path, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  const { status } = answer;
  const header = (name: string) => answer.headers.get(name);
  return { status, header, type: header("content-type"), text: await answer.text() };
}

const check = (spec: string, { ark, prefer }: { ark?: string; prefer?: string } = {}) =>
  get(
    `/admin/check?set=${encodeURIComponent(setUrl(spec))}${ark === undefined ? "" : `&ark=${encodeURIComponent(ark)}`}`,
    prefer === undefined ? {} : { prefer },
  );

describe("checks of sets on the local cloud", () => {
  it("a short set → the count, directly, through the gate", async () => {
    const answer = await check("roach");
    expect(answer).toMatchObject({ status: 200, type: "application/xml; charset=utf-8" });
    expect(answer.text).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<set><url>${setUrl("roach").replaceAll("&", "&amp;")}</url><count>4</count></set>\n`,
    );
    expect(repository.requests).toEqual([
      "/oai?verb=ListRecords&metadataPrefix=oai_dc&set=roach",
      "/oai?verb=ListRecords&resumptionToken=t1",
      "/oai?verb=ListRecords&resumptionToken=t2",
    ]);
  });

  it("the same set within ten minutes → the same run; another ARK → another", async () => {
    expect((await check("roach")).text).toContain("<count>4</count>");
    expect(repository.requests).toEqual([]);
    expect((await check("roach", { ark: "ark:80444/xv43658" })).text).toContain("<count>3</count>");
    expect(repository.requests).toHaveLength(3);
    expect((await check("roach", { ark: "ark:/80444/xv-43658" })).text).toContain("<count>3</count>");
    expect(repository.requests).toHaveLength(3);
  });

  it("respond-async → 202, progress, then the result; twenty at once share the pages", async () => {
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => check("slow", { prefer: "respond-async" })),
    );
    const places = new Set(answers.map(({ header }) => header("location")));
    expect(places.size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202));
    const [place = ""] = [...places];
    const before = await get(place ?? "");
    expect(before).toMatchObject({ status: 202, type: "application/xml; charset=utf-8" });
    expect(before.text).toContain("<progress><records>0</records></progress>");
    expect(before.header("retry-after")).toBe("2");
    release();
    held = undefined;
    await expect.poll(async () => (await get(place ?? "")).text).toContain("<count>4</count>");
    expect((await get(place ?? "")).status).toBe(200);
    expect(repository.requests).toHaveLength(3);
  });

  it("a published set → use-harvester, and nothing is requested", async () => {
    const { status, text } = await check("matsura");
    expect({ status, requests: repository.requests }).toEqual({ status: 200, requests: [] });
    expect(text).toContain('<error type="use-harvester">');
    expect((await check("matsura2")).text).toContain("<count>4</count>");
  });

  it.each([
    ["/admin/check", 400, "set: is missing"],
    ["/admin/check?set=", 400, "set: is empty"],
    ["/admin/check?set=www.google.com", 400, "must be an http or https URL"],
    ["/admin/check?set=https://a.example/&ark=xv", 400, "ark: must be an ARK"],
    ["/admin/check?set=https://a.example/&frob=1", 400, "frob"],
    [
      "/admin/check?set=https://a.example/oai?verb=ListRecords&metadataPrefix=oai_dc&set=roach",
      400,
      "Is the URL in set percent-encoded?",
    ],
    ["/admin/check?set=%ff", 400, "UTF-8"],
    ["/admin/check/none", 404, "There is no check none"],
    ["/admin/check?set=http://169.254.169.254/latest", 200, '<error type="http">not fetched'],
    ["/admin/check?set=http://127.0.0.1:22/", 200, '<error type="http">not fetched'],
  ])("%s → %i, an error element that says why", async (path, status, expected) => {
    const answer = await get(path);
    expect(answer).toMatchObject({ status, type: "application/xml; charset=utf-8" });
    expect(answer.text).toMatch(/^<\?xml .*<set><url>.*<\/url><error type=".*">.*<\/error><\/set>\n$/s);
    expect(answer.text).toContain(expected);
  });

  it("without a token → 401", async () => {
    expect((await fetch(`${cloud.apiUrl}/admin/check?set=x`)).status).toBe(401);
  });

  it("anonymous callers → so many checks an hour, each and together", async () => {
    const { checkStore } = await import("../../shared/check-set/stores/check-store.ts");
    const { countCheck } = checkStore();
    const counted = await Promise.all(
      Array.from({ length: 8 }, () => countCheck({ caller: "a", hour: "2026-11-22T20", most: 5 })),
    );
    expect(counted.filter(Boolean)).toHaveLength(5);
    expect(await countCheck({ caller: "b", hour: "2026-11-22T20", most: 5 })).toBe(true);
    expect(await countCheck({ caller: "a", hour: "2026-11-22T21", most: 5 })).toBe(true);
  });

  it("no endpoint → the sources with audiences are the register", async () => {
    const { publishedSources } = await import("../../shared/check-set/stores/published-sources.ts");
    const { configurationStore } = await import("../../shared/adapters/records/configuration-store.ts");
    const put = (id: string, url: string, audiences?: string[]) =>
      configurationStore().put({
        kind: "source",
        id,
        value: { sourceId: id, title: id, type: "RSS", url, groupId: "G", ...(audiences && { audiences }) },
      });
    await put("published", "https://a.example/oai?verb=ListRecords&metadataPrefix=oai_dc&set=maps", [
      "primo",
    ]);
    await put("unpublished", "https://b.example/oai?verb=ListRecords&set=maps");
    await put("withdrawn", "https://c.example/oai?verb=ListRecords&set=maps", []);
    let asked = 0;
    const register = publishedSources(() => {
      asked += 1;
    });
    const isPublished = (url: string) => register.isPublished(parseCheckedSet(url));
    expect(await isPublished("https://a.example/oai?set=maps&verb=ListRecords")).toBe(true);
    expect(await isPublished("https://a.example/oai?verb=ListRecords")).toBe(true);
    expect(await isPublished("https://a.example/oai?set=maps2")).toBe(false);
    expect(await isPublished("https://b.example/oai?set=maps")).toBe(false);
    expect(await isPublished("https://c.example/oai?set=maps")).toBe(false);
    expect(asked).toBe(5);
  });

  it("a harvested set with audiences → registered, so that the next check sees it; without them → withdrawn", async () => {
    const { configurationStore } = await import("../../shared/adapters/records/configuration-store.ts");
    const { messageQueue } = await import("../../shared/adapters/aws/queues.ts");
    process.env.SET_REGISTRATIONS_QUEUE_URL = `${cloud.gatewayUrl}/000000000000/ingather-set-registrations`;
    const register = async (audiences: string[]) => {
      const url = `${repository.origin}/oai`;
      const value = {
        sourceId: "atlas",
        title: "Atlas",
        url,
        groupId: "G",
        audiences,
        oai: { set: "atlas" },
      };
      await configurationStore().put({ kind: "source", id: "atlas", value });
      // Twice: messages may be repeated.
      for (let time = 0; time < 2; time += 1)
        await messageQueue("setRegistrationsQueue").send({ sourceId: "atlas" });
      await cloud.waitUntilIdle();
    };
    expect((await check("atlas")).text).toContain("<count>4</count>");
    await register(["primo"]);
    expect((await check("atlas")).text).toContain("use-harvester");
    await register([]);
    expect((await check("atlas")).text).toContain("<count>4</count>");
  });

  it("a source that an operator adds to be read once → polled, registered, closed; the next check sees it", async () => {
    const { configurationStore } = await import("../../shared/adapters/records/configuration-store.ts");
    await configurationStore().put({ kind: "group", id: localGroup.groupId, value: { ...localGroup } });
    const added = await fetch(`${cloud.apiUrl}/sources`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({
        sourceId: "globe",
        title: "Globe",
        type: "OAI-PMH",
        url: `${repository.origin}/oai`,
        oai: { set: "globe" },
        groupId: localGroup.groupId,
        deliveryMode: "LIVE",
        audiences: ["dpla"],
        reading: { mode: "synchronous" },
      }),
    });
    expect({ status: added.status, place: added.headers.get("location") }).toEqual({
      status: 201,
      place: "/sources/globe",
    });
    for (let poll = 0; poll < 2; poll += 1) {
      await cloud.invoke(functionNames.pollSources, {});
      await cloud.waitUntilIdle();
    }
    expect(repository.requests.filter((url) => url.includes("set=globe"))).toHaveLength(1);
    expect((await check("globe")).text).toContain("use-harvester");
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${cloud.apiUrl}/sources/globe`, { method: "DELETE", headers });
    await cloud.waitUntilIdle();
    expect((await check("globe")).text).toContain("<count>4</count>");
  });

  it("the endpoint is down → 502, saying which", async () => {
    await sparql.close();
    const answer = await check("roach");
    expect(answer).toMatchObject({ status: 502, type: "application/xml; charset=utf-8" });
    expect(answer.text).toContain(`<error type="http">the SPARQL endpoint ${sparql.url} gave no response`);
  });
});
