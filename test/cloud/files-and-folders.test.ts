import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import yazl from "yazl";
import type { NewSource } from "../../shared/records/sources/source.ts";
import { listen } from "../listen.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const marc = (id: string) =>
  `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nab a2200000 a 4500</leader><controlfield tag="001">${id}</controlfield><datafield tag="245" ind1="1" ind2="0"><subfield code="a">T ${id}</subfield></datafield></record>`;

async function archive(): Promise<Buffer> {
  const writer = new yazl.ZipFile();
  writer.addBuffer(Buffer.from("%PDF-1.7 one"), "a/one.pdf");
  writer.addBuffer(Buffer.from("text"), "two.txt");
  writer.end();
  return buffer(writer.outputStream);
}

const answers = new Map<string, Buffer>();
const server = createServer(({ url = "" }, response) => {
  const body = answers.get(url);
  response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/octet-stream" });
  response.end(body);
});
afterAll(() => void server.close());

it("files at URLs, read once and closed; a folder, polled → documents, items and events", async () => {
  const origin = await listen(server);
  const stateDir = stateFolder();
  const cloud = await testCloud(stateDir, { allowedPrivateHosts: [new URL(origin).host] });
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  const { localGroup } = await import("../../local/local-group.ts");
  const { documentStore } = await import("../../shared/adapters/records/document-store.ts");
  const { itemStore } = await import("../../shared/harvest/stores/item-store.ts");
  const { oaiHarvestStore } = await import("../../shared/harvest/stores/oai-harvest-store.ts");
  const source = (sourceId: string, more: Partial<NewSource>) => ({
    sourceId,
    title: sourceId,
    type: "FILE" as const,
    url: `${origin}/${sourceId}`,
    groupId: localGroup.groupId,
    deliveryMode: "TEST" as const,
    throttleMs: 0,
    obeyRobots: false,
    reading: { mode: "synchronous" as const },
    ...more,
  });
  answers.set(
    "/marc",
    Buffer.from(`<collection xmlns="http://www.loc.gov/MARC21/slim">${marc("1")}${marc("2")}</collection>`),
  );
  answers.set("/zip", await archive());
  answers.set("/pdf", Buffer.from("%PDF-1.7 a book"));
  const folder = join(stateDir, "folders/theses/2026");
  mkdirSync(join(folder, "a"), { recursive: true });
  writeFileSync(join(folder, "a/one.txt"), "one");
  writeFileSync(join(folder, "two.txt"), "two");
  const polled = { mode: "asynchronous" as const, everyMinutes: 5 };
  await storeConfiguration([
    ...["marc", "zip", "pdf", "none"].map((name) => source(name, {})),
    source("folder", { type: "FOLDER", folder: { bucket: "theses", prefix: "2026/" }, reading: polled }),
  ]);
  // A time to come counts as now.
  const beginMs = Date.now() - 2 * 3_600_000;
  const poll = async (minutes: number) => {
    const time = new Date(beginMs + minutes * 60_000).toISOString();
    const summary = await cloud.invoke("ingather-poll-sources", { time });
    await cloud.waitUntilIdle();
    return summary;
  };
  const documentsOf = async (sourceId: string) => {
    const { documents } = await documentStore().list(sourceId, { limit: 100 });
    const lines = documents.map(async ({ identifier, state, documentId, versions }) => {
      const items = await itemStore().list(documentId);
      return `${identifier[0].replace(origin, "")} ${state} ${versions.length} ${items.map((item) => `${item.state} ${item.versions.length}`).join()}`;
    });
    return (await Promise.all(lines)).toSorted();
  };
  expect(await poll(0)).toMatchObject({ started: ["folder", "marc", "none", "pdf", "zip"], failed: [] });
  expect(await poll(5)).toMatchObject({ started: ["folder"] });
  expect(await documentsOf("marc")).toEqual(["1 present 1 ", "2 present 1 "]);
  expect(await documentsOf("zip")).toEqual(["a/one.pdf present 1 present 1", "two.txt present 1 present 1"]);
  expect(await documentsOf("pdf")).toEqual(["/pdf present 1 present 1"]);
  expect(await documentsOf("none")).toEqual([]);
  expect(await documentsOf("folder")).toEqual([
    "a/one.txt present 1 present 1",
    "two.txt present 1 present 1",
  ]);
  const ends = ["marc", "zip", "pdf", "none"].map(
    async (id) => (await oaiHarvestStore().get(id))?.last?.completeness.type,
  );
  expect(await Promise.all(ends)).toEqual(["complete", "complete", "complete", "interrupted"]);

  writeFileSync(join(folder, "two.txt"), "two, longer");
  rmSync(join(folder, "a/one.txt"));
  writeFileSync(join(folder, "three.txt"), "three");
  await poll(10);
  await poll(15);
  const after = [
    "a/one.txt deleted 2 deleted 2",
    "three.txt present 1 present 1",
    "two.txt present 2 present 2",
  ];
  expect(await documentsOf("folder")).toEqual(after);
  rmSync(folder, { recursive: true });
  await poll(20);
  await poll(25);
  expect(await documentsOf("folder")).toEqual(after);
  expect((await oaiHarvestStore().get("folder"))?.last?.completeness).toMatchObject({ type: "interrupted" });
  expect(await poll(65)).toMatchObject({ started: ["folder", "none"] });
});
