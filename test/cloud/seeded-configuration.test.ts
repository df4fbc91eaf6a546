import { beforeAll, describe, expect, it } from "vitest";
import { localGroup } from "../../local/local-group.ts";
import { demoCollection, demoSource } from "../../local/start/seed.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const { groupId } = localGroup;
const { collectionId } = demoCollection;
const demo = demoSource("http://127.0.0.1:4801/feed.xml");
const { sourceId } = demo;

async function stores() {
  const { configurationStore } = await import("../../shared/adapters/records/configuration-store.ts");
  const { collectionStore } = await import("../../shared/links/stores/collection-store.ts");
  const { storeCollection, storeConfiguration } = await import("../../local/start/run-delivery.ts");
  return {
    configuration: configurationStore(),
    collections: collectionStore(),
    storeCollection,
    storeConfiguration,
  };
}

describe("npm start over a state in which operators have set something", () => {
  beforeAll(async () => {
    await testCloud(stateFolder(), { polling: false });
    const { configuration, collections, storeConfiguration } = await stores();
    await storeConfiguration([demo], [demoCollection]);
    const destination = {
      type: "SFTP",
      host: "sftp.example",
      port: 22,
      username: "u",
      hostKeyFingerprint: `SHA256:${"A".repeat(43)}`,
      liveFolder: "live",
      testFolder: "test",
    };
    await configuration.setFields({ kind: "group", id: groupId }, { destination, recordsPerFile: 7 });
    const source = { throttleMs: 30_000, collectionId: "mine" };
    await configuration.setFields({ kind: "source", id: sourceId }, source);
    const stored = await collections.get(collectionId);
    if (stored === undefined || "unusable" in stored) throw new Error("no collection");
    const rule = { ...stored.collection.rule, throttleSeconds: 60 };
    await collections.save({ ...stored.collection, rule, recheckDelaysHours: [5] });
    await collections.setHold(
      collectionId,
      { since: "2026-11-20T08:00:00.000Z", by: "anna", reason: "moves" },
      undefined,
    );

    await storeConfiguration([demoSource("http://127.0.0.1:9999/feed.xml")], [demoCollection], {
      ...localGroup,
      userAgent: "Mine/1.0",
    });
  });

  it("group → keeps destination and file size, gets this start's User-Agent", async () => {
    const { configuration } = await stores();
    expect((await configuration.item({ kind: "group", id: groupId }))?.value).toMatchObject({
      destination: { type: "SFTP", host: "sftp.example" },
      recordsPerFile: 7,
      userAgent: "Mine/1.0",
    });
  });

  it("source → keeps throttle and collection, gets this start's URL", async () => {
    const { configuration } = await stores();
    expect((await configuration.item({ kind: "source", id: sourceId }))?.value).toMatchObject({
      throttleMs: 30_000,
      collectionId: "mine",
      url: "http://127.0.0.1:9999/feed.xml",
    });
  });

  it("collection → keeps rule, delays and hold, but for what a start decides", async () => {
    const { collections, storeCollection } = await stores();
    const kept = { rule: { throttleSeconds: 60 }, hold: true };
    expect(await collections.get(collectionId)).toMatchObject({
      collection: { ...kept, recheckDelaysHours: [5] },
    });
    await storeCollection(demoCollection, { recheckDelaysHours: [1] });
    expect(await collections.get(collectionId)).toMatchObject({
      collection: { ...kept, recheckDelaysHours: [1] },
    });
  });
});
