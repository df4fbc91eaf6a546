import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { currentFile } from "../../shared/harvest/items/item.ts";
import { listen } from "../listen.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const sizeBytes = 20_000_000;
const content = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(sizeBytes - 9, "a page of noise. ")]);
let file = { content, etag: '"1"' };
const seen: string[] = [];

/** Breaks off a whole file at 12 MB; continues it; serves a web page as another PDF. */
function serve({ url = "", headers }: IncomingMessage, response: ServerResponse): void {
  if (url !== "/big.pdf") {
    const type = url === "/page.pdf" ? "application/pdf" : "text/plain";
    response.writeHead(url === "/page.pdf" ? 200 : 404, { "content-type": type });
    response.end("<!DOCTYPE html><title>Log in</title>");
    return;
  }
  const { range = "", "if-range": ifRange, "if-none-match": known } = headers;
  seen.push(`${range} ${ifRange ?? ""} ${known ?? ""} ${headers["accept-encoding"]}`);
  const { etag } = file;
  if (known === etag) {
    response.writeHead(304, { etag }).end();
    return;
  }
  const all = { "content-type": "application/pdf", etag, "accept-ranges": "bytes" };
  const start = Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0);
  if (start > 0 && ifRange === etag) {
    const rest = file.content.subarray(start);
    const contentRange = `bytes ${start}-${sizeBytes - 1}/${sizeBytes}`;
    response
      .writeHead(206, { ...all, "content-range": contentRange, "content-length": rest.length })
      .end(rest);
    return;
  }
  response.writeHead(200, { ...all, "content-length": file.content.length });
  response.write(file.content.subarray(0, 12_000_000), () => setTimeout(() => response.destroy(), 20));
}

const server = createServer(serve);
let cloud: LocalCloud;
let origin: string;

beforeAll(async () => {
  origin = await listen(server);
  cloud = await testCloud(stateFolder(), { allowedPrivateHosts: [new URL(origin).host] });
});
afterAll(() => void server.close());

it("files of a document, through the gate → a broken download is continued, a web page is refused, a replaced file is opened", async () => {
  const { itemStore } = await import("../../shared/harvest/stores/item-store.ts");
  const { requestsQueue } = await import("../../shared/adapters/aws/queues.ts");
  const { events } = await import("../../shared/adapters/aws/events.ts");
  const { streamObject } = await import("../../shared/adapters/aws/s3.ts");
  const { requestFiles } = await import("../../shared/harvest/items/request-files.ts");
  const { systemClock } = await import("../../shared/core/clock.ts");
  const items = itemStore();
  const ports = { items, requests: requestsQueue(), events: events(), clock: systemClock };
  const document = { sourceId: "s", documentId: "document-1", state: "present" as const };
  const urls = ["/big.pdf", "/page.pdf", "/none.pdf"].map((path) => `${origin}${path}`);
  const ask = async (version: number) => {
    await requestFiles(document, { type: "files", version, urls, policy: { throttleMs: 0 } }, ports);
    await cloud.waitUntilIdle();
    const found = await items.list(document.documentId);
    return new Map(found.map((item) => [new URL(item.url).pathname, item]));
  };

  const first = await ask(1);
  const big = first.get("/big.pdf");
  expect(big).toMatchObject({ state: "present", outbox: [] });
  const stored = big && currentFile(big);
  expect(stored).toMatchObject({ contentType: "application/pdf", sizeBytes });
  expect(stored?.sha256).toBe(createHash("sha256").update(content).digest("hex"));
  const hash = createHash("sha256");
  for await (const piece of streamObject(process.env.FILES_BUCKET ?? "", stored?.key ?? ""))
    hash.update(piece);
  expect(hash.digest("hex")).toBe(stored?.sha256);
  expect(first.get("/page.pdf")).toMatchObject({
    state: "refused",
    problem: { reason: "it is a web page, not a file" },
  });
  expect(first.get("/none.pdf")).toMatchObject({ state: "refused" });
  expect(seen[0]).toBe("   identity");
  expect(seen[1]).toMatch(/^bytes=\d+- "1"/);

  await ask(2);
  expect(seen.at(-1)).toBe('  "1" identity');
  file = { content: Buffer.from("%PDF-1.7 another"), etag: '"2"' };
  const replaced = (await ask(3)).get("/big.pdf");
  expect(replaced?.versions.map(({ type, file }) => [type, file?.sizeBytes])).toEqual([
    ["new", sizeBytes],
    ["opened", 16],
  ]);
  expect(replaced?.problem).toBeUndefined();
});

it("events about sources by another publisher → done through the rule; a malformed one → quarantined", async () => {
  const { EventBridgeClient, PutEventsCommand } = await import("@aws-sdk/client-eventbridge");
  const { configurationStore } = await import("../../shared/adapters/records/configuration-store.ts");
  const configuration = configurationStore();
  const value = { groupId: "G", isil: "XX-1", userAgent: "test", outputFolder: "g" };
  await configuration.put({ kind: "group", id: "G", value });
  const source = { sourceId: "others", title: "O", type: "RSS", url: `${origin}/feed`, groupId: "G" };
  const publish = async (type: string, detail: object) => {
    const Entries = [
      {
        EventBusName: process.env.EVENT_BUS_NAME,
        Source: "catalogue.library.example",
        DetailType: type,
        Detail: JSON.stringify(detail),
      },
    ];
    await new EventBridgeClient({}).send(new PutEventsCommand({ Entries }));
    await cloud.waitUntilIdle();
  };
  const stored = () => configuration.item({ kind: "source", id: "others" });
  await publish("source.new", { source });
  expect((await stored())?.value).toMatchObject({ title: "O" });
  await publish("source.opened", { sourceId: "others", change: { title: "Others" } });
  expect((await stored())?.value).toMatchObject({ title: "Others" });
  await publish("source.deleted", { sourceId: "others" });
  expect(await stored()).toBeUndefined();

  await publish("source.new", { source: { ...source, url: "ftp://s.example" } });
  const { failedMessages } = await import("../../shared/adapters/aws/failed-messages.ts");
  await expect
    .poll(() => failedMessages().list({ limit: 10 }))
    .toMatchObject([{ queue: "ingather-source-events", reason: expect.stringContaining("url") }]);
  expect(await stored()).toBeUndefined();
});
