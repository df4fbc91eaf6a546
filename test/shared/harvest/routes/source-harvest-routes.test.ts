import { beforeEach, describe, expect, it } from "vitest";
import { fileHoldId, fileHoldsOf } from "../../../../shared/harvest/oai-state/held-deletions.ts";
import { pollSources } from "../../../../shared/harvest/polls/poll-sources.ts";
import { sourceHarvestSubject } from "../../../../shared/harvest/routes/source-harvest-routes.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import {
  errorPage,
  getRecord,
  listPage,
  pagesOf,
  record,
} from "../../../local/cli/harvest/scripted-repository.ts";
import { serve } from "../../api/serve.ts";
import { identify, OaiWorld, sourceId } from "../oai/oai-world.ts";

let world: OaiWorld;
beforeEach(() => {
  world = new OaiWorld((args, nth) =>
    args.verb === "Identify" ? identify() : pagesOf("ab", "c")(args, nth),
  );
  const feed = { sourceId: "feed", title: "Feed", type: "RSS", url: "https://f.example/", groupId: "Test" };
  const polled = { deliveryMode: "LIVE", reading: { mode: "asynchronous", everyMinutes: 60 } };
  for (const more of [
    { deliveryMode: "LIVE" },
    { sourceId: "polled", ...polled },
    { sourceId: "preview", ...polled, deliveryMode: "NONE" },
    { sourceId: "upload", type: "UPLOAD" },
  ]) {
    const { sourceId: id, ...rest } = source.parse({ ...feed, ...more });
    world.ports.sourcesById.set(id, { sourceId: id, ...rest });
  }
});

async function request(method: string, id = sourceId, query = "", json?: object) {
  const { sources, runs, oaiHarvests, events, clock } = world.ports;
  const ports = { sources, runs, oaiHarvests, events, clock, requests: world.requests };
  const app = serve([sourceHarvestSubject], ports);
  const answer = await app.request(`/sources/${id}/harvest${query}`, {
    method,
    ...(json && { body: JSON.stringify(json), headers: { "content-type": "application/json" } }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

const underWay = {
  harvestId: `harvest-${sourceId}-operator-20261120T190000000Z`,
  startedAt: "2026-11-20T19:00:00.000Z",
};

const result = `/sources/${sourceId}/harvest`;
const accepted = { status: 202, body: { status: "harvesting", result, ...underWay } };

it("POST → starts a harvest; a second one is the same; GET says how it ended", async () => {
  expect(await request("GET")).toEqual({ status: 200, body: {} });
  expect(await request("POST")).toEqual(accepted);
  world.ports.now = new Date("2026-11-20T19:05:00Z");
  expect(await request("POST")).toEqual(accepted);
  expect((await request("GET")).body).toEqual({ underWay });
  await world.read();
  expect((await request("GET")).body).toEqual({
    from: "2026-05-01T10:00:00Z",
    lastFullAt: underWay.startedAt,
    last: { harvestId: underWay.harvestId, at: "2026-11-20T19:05:00.000Z", completeness: "complete" },
  });
  expect(world.requested).toHaveLength(3);
});

it("DELETE → the harvest ends; what it found stays, and the next one lists the same again", async () => {
  await request("POST");
  await world.read(2);
  expect((await request("DELETE")).status).toBe(204);
  await world.read();
  expect(world.documents("present")).toBe("ab");
  expect((await request("DELETE")).status).toBe(404);
  world.ports.now = new Date("2026-11-20T19:05:00Z");
  await request("POST");
  await world.read();
  expect(world.documents("present")).toBe("abc");
  expect(world.lists.filter((query) => query === "metadataPrefix=oai_dc")).toHaveLength(2);
});

it("DELETE ?cancel=true → the harvest ends; no delivery takes its records", async () => {
  await request("POST");
  await world.read(2);
  expect((await request("DELETE", sourceId, "?cancel=true")).status).toBe(204);
  await world.read();
  expect(world.documents("present")).toBe("ab");
  expect((await request("GET")).body.last).toMatchObject({ reason: "cancelled by an operator" });
  expect(await world.ports.runs.listLongHarvests("LIVE")).toEqual([]);
});

it("POST ?full=true → the whole list, whatever was read; what it lacks is deleted, also where deletions are kept", async () => {
  await request("POST");
  await world.read();
  world.script = ({ verb, identifier }) => {
    if (verb === "Identify") return identify();
    return verb === "GetRecord" ? getRecord("a", identifier) : listPage([record("a")]);
  };
  world.ports.now = new Date("2026-11-20T19:05:00Z");
  await request("POST", sourceId, "?full=true");
  await world.read();
  expect(world.lists.at(-1)).toBe("metadataPrefix=oai_dc");
  expect([world.documents("present"), world.documents("deleted")]).toEqual(["a", "bc"]);
  world.ports.now = new Date("2026-11-20T19:10:00Z");
  await request("POST");
  await world.read();
  expect(world.lists.at(-1)).toContain("from=");
});

it("a size that is wrong three times in a row → shown; POST ?full=true → counted anew", async () => {
  world.script = ({ verb }) =>
    verb === "Identify" ? identify() : listPage([record("a")], "", 'completeListSize="2"');
  for (const minute of [0, 5, 10]) {
    expect((await request("GET")).body).not.toHaveProperty("wrongSizes");
    world.ports.now = new Date(Date.UTC(2026, 10, 20, 20, minute));
    await request("POST");
    await world.read();
  }
  const { body } = await request("GET");
  expect(body).toMatchObject({
    last: { completeness: "complete" },
    wrongSizes: [{ lists: "full", announced: 2, read: 1 }],
  });
  world.ports.now = new Date("2026-11-20T21:00:00Z");
  await request("POST", sourceId, "?full=true");
  expect((await request("GET")).body).not.toHaveProperty("wrongSizes");
});

it("an interrupted list → its reason", async () => {
  world.script = () => errorPage("cannotDisseminateFormat");
  await request("POST");
  await world.read();
  expect((await request("GET")).body.last).toMatchObject({
    completeness: "interrupted",
    reason: "cannotDisseminateFormat: said so",
  });
});

it.each([
  ["GET", "none", 404],
  ["POST", "none", 404],
  ["DELETE", "none", 404],
])("%s of the source %s → %d", async (method, id, status) => {
  expect((await request(method, id)).status).toBe(status);
});

it.each([
  [
    "feed",
    "the source feed has the type RSS and no `reading`, and is not polled: POST /runs reads it now, with the other sources",
  ],
  ["upload", "the source upload has the type UPLOAD, and is not polled: POST /documents gives it documents"],
  [
    "preview",
    "the source preview has the type RSS and the deliveryMode NONE, and is not polled: POST /sources/{id}/preview reads it without a delivery",
  ],
])("POST of the source %s, which is not polled → 409, and what reads it", async (id, detail) => {
  expect(await request("POST", id)).toMatchObject({ status: 409, body: { detail, field: "id", value: id } });
});

it("POST of a polled source → claimed once; the next poll begins it, and one that is in progress is not claimed", async () => {
  const poll = {
    harvestId: "harvest-polled-operator-20261120T190000000Z",
    startedAt: "2026-11-20T19:00:00.000Z",
  };
  const requested = { status: "requested", result: "/sources/polled/harvest", ...poll };
  expect(await request("POST", "polled")).toEqual({ status: 202, body: requested });
  world.ports.now = new Date("2026-11-20T19:01:00Z");
  expect(await request("POST", "polled")).toEqual({ status: 202, body: requested });
  expect((await request("GET", "polled")).body).toEqual({ requested: poll });
  world.ports.now = new Date("2026-11-20T19:05:00Z");
  expect(await pollSources(world.ports.now, world.pollPorts)).toMatchObject({
    started: ["polled"],
    failed: [],
  });
  expect(world.queue.map(({ url }) => url)).toEqual(["https://f.example/"]);
  expect((await request("GET", "polled")).body).toEqual({ underWay: poll });
  expect((await request("POST", "polled")).body).toEqual({ ...requested, status: "harvesting" });
  expect((await request("POST", "polled", "?full=true")).status).toBe(400);
});

it("a short list → what completeListSize says", async () => {
  world.script = ({ verb, resumptionToken }) => {
    if (verb === "Identify") return identify();
    return resumptionToken
      ? listPage([record("b")], "")
      : listPage([record("a")], "2", 'completeListSize="9"');
  };
  await request("POST");
  await world.read();
  expect((await request("GET")).body.last).toMatchObject({
    completeness: "short",
    reason: "completeListSize says 9, but the list has 2 records",
  });
});

describe("deletions that are held", () => {
  const ids = Array.from({ length: 40 }, (_, n) => `r${n}`);
  const listed = (all: string[]) => () => listPage(all.map((id) => record(id)));
  const decide = async (body: object, id = sourceId) => request("POST", id, "/deletions", body);

  /** A source whose full list lacks 30 of 40 documents. */
  async function held() {
    for (const [at, list] of [ids, ids.slice(30)].entries()) {
      world.script = ({ verb, identifier }) =>
        verb === "Identify"
          ? identify()
          : verb === "GetRecord"
            ? getRecord(list, identifier)
            : listed(list)();
      world.ports.now = new Date(`2026-11-2${at}T19:00:00Z`);
      await request("POST", sourceId, "?full=true");
      await world.read();
    }
    return (await request("GET")).body.heldDeletions;
  }

  it("GET → how many, and examples", async () => {
    expect(await held()).toEqual({
      harvestId: `harvest-${sourceId}-operator-20261121T190000000Z`,
      since: "2026-11-21T19:00:00.000Z",
      ...{ documents: 30, of: 40, examples: expect.arrayContaining([expect.stringMatching(/^r\d+$/)]) },
    });
    expect(world.documents("deleted")).toBe("");
  });

  it("of a folder, released → it is polled within five minutes", async () => {
    const folder = { bucket: "b", prefix: "" };
    const reading = { mode: "asynchronous" as const, everyMinutes: 1440 };
    world.ports.sourcesById.set("folder", {
      ...world.source,
      sourceId: "folder",
      type: "FOLDER",
      folder,
      reading,
    });
    const deletions = {
      harvestId: "h",
      since: "2026-11-20T19:00:00.000Z",
      documents: 30,
      of: 40,
      examples: ["a"],
    };
    await world.ports.oaiHarvests.save({
      ...{ sourceId: "folder", revision: 1 },
      heldDeletions: { ...deletions, mark: "m" },
    });
    expect((await request("GET", "folder")).body).toEqual({ heldDeletions: deletions });
    const body = { harvestId: "h", decision: "release" };
    expect(await decide(body, "folder")).toEqual({ status: 200, body });
    expect((await request("GET", "folder")).body).toMatchObject({
      heldDeletions: { isReleased: true },
      requested: { harvestId: expect.stringContaining("folder") },
    });
  });

  it("of files → shown beside those of documents; the decision is on them alone", async () => {
    const documents = await held();
    const files = { harvestId: fileHoldId("2026-11-21T20:00:00.000Z"), since: "2026-11-21T20:00:00.000Z" };
    const counted = { documents: 25, of: 40, examples: ["https://r.example/1.pdf"], areFiles: true as const };
    await world.ports.oaiHarvests.save({
      ...{ sourceId: fileHoldsOf(sourceId), revision: 1 },
      heldDeletions: { ...files, ...counted, mark: files.since, isUnpublished: true },
    });
    expect((await request("GET")).body).toMatchObject({ heldDeletions: documents });
    expect((await request("GET")).body.heldFiles).toEqual({ ...files, ...counted });
    const body = { harvestId: files.harvestId, decision: "release" };
    expect(await decide(body)).toEqual({ status: 200, body });
    expect((await request("GET")).body).toMatchObject({ heldFiles: { isReleased: true } });
    expect((await request("GET")).body.heldDeletions).toEqual(documents);
    expect(await decide({ ...body, decision: "drop" })).toMatchObject({ status: 200 });
    expect((await request("GET")).body).not.toHaveProperty("heldFiles");
  });

  it("release, sent twice → the list is read again, and they are deleted", async () => {
    const { harvestId } = await held();
    world.ports.now = new Date("2026-11-22T19:00:00Z");
    const lists = world.lists.length;
    const body = { harvestId, decision: "release" };
    for (const _time of [1, 2]) expect(await decide(body)).toEqual({ status: 200, body });
    expect((await request("GET")).body.heldDeletions).toMatchObject({ isReleased: true });
    await world.read();
    expect(world.lists.slice(lists)).toEqual(["metadataPrefix=oai_dc"]);
    expect(world.ports.published.filter(({ type }) => type === "document.deleted")).toHaveLength(30);
    expect((await request("GET")).body).not.toHaveProperty("heldDeletions");
    expect((await decide(body)).status).toBe(409);
  });

  it("drop → they stay, and nothing is held", async () => {
    const { harvestId } = await held();
    expect((await decide({ harvestId, decision: "drop" })).status).toBe(200);
    expect((await request("GET")).body).not.toHaveProperty("heldDeletions");
    expect(world.documents("deleted")).toBe("");
  });

  it("of another harvest → 409; of no source → 404; another decision → 400", async () => {
    await held();
    expect((await decide({ harvestId: "other", decision: "drop" })).status).toBe(409);
    expect((await decide({ harvestId: "other", decision: "drop" }, "none")).status).toBe(404);
    expect((await decide({ harvestId: "other", decision: "delete" })).status).toBe(400);
  });
});
