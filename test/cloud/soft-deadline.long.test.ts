import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import type { Need } from "../../shared/operations/today/needs.ts";
import { listen } from "../listen.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator, type RunReport } from "./operator.ts";

/** A site of feeds with an article each, whose article `/slow` is answered when it is released. */
async function startSite() {
  const waiting = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const server = createServer(async ({ url = "/", headers }, response) => {
    const send = (type: string, body: string) => response.writeHead(200, { "content-type": type }).end(body);
    const [, feed] = /^\/feed\/(\w+)$/.exec(url) ?? [];
    if (feed !== undefined) {
      const item = `<item><title>T</title><link>http://${headers.host}/${feed}</link></item>`;
      return send(
        "application/rss+xml",
        `<rss version="2.0"><channel><title>F</title>${item}</channel></rss>`,
      );
    }
    if (url === "/robots.txt") return response.writeHead(404).end();
    if (url === "/slow") {
      asked.resolve();
      await waiting.promise;
    }
    const meta = {
      title: `On ${url}`,
      author: "Weaver, Ada",
      volume: "1",
      issue: "2",
      publication_date: "2026",
    };
    const tags = Object.entries(meta).map(
      ([name, content]) => `<meta name="citation_${name}" content="${content}">`,
    );
    send("text/html", `<title>x</title>${tags.join("")}`);
  });
  const { host } = new URL(await listen(server));
  return {
    host,
    asked: asked.promise,
    release: waiting.resolve,
    close: () => server.close(),
  };
}

it("a soft deadline while a host does not answer → the rest is delivered, the source is named, and joins the next file", async () => {
  // Two hosts: a host is never requested twice at a time.
  const sites = { fast: await startSite(), slow: await startSite() };
  const { slow: site } = sites;
  const hosts = Object.values(sites).map(({ host }) => host);
  const cloud = await testCloud(stateFolder(), { allowedPrivateHosts: hosts });
  const operator = new Operator(cloud);
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  const { localGroup } = await import("../../local/local-group.ts");
  const { stageQueues } = await import("../../shared/adapters/aws/queues.ts");
  const { runStore } = await import("../../shared/adapters/records/run-store.ts");
  const { deliveryStore } = await import("../../shared/deliver/stores/delivery-store.ts");
  const source = (name: keyof typeof sites) => ({
    sourceId: name,
    title: name,
    type: "RSS" as const,
    url: `http://${sites[name].host}/feed/${name}`,
    groupId: localGroup.groupId,
    deliveryMode: "LIVE" as const,
    throttleMs: 0,
  });
  await storeConfiguration([source("fast"), source("slow")]);
  const delivered = async () => {
    const files = await deliveryStore().list({ limit: 10 });
    const texts = await Promise.all(
      files.map(async ({ key }) => (await buffer(await deliveryStore().readFile(key))).toString()),
    );
    return texts.flatMap((text) => text.match(/On \/\w+/g) ?? []).toSorted();
  };

  const path = await operator.startRun();
  const runId = path.replace("/runs/", "");
  await site.asked;
  const found = async () => {
    let count = 0;
    for await (const page of runStore().outcomesOfSource(runId, "fast")) count += page.length;
    return count;
  };
  await expect.poll(found).toBe(1);
  // As the schedule does at the soft deadline.
  await stageQueues().validate.send({ runId });
  const report = (await operator.runEnds(path)) as RunReport & { late?: string[] };
  expect([report.state, report.late, await delivered()]).toEqual(["finished", ["slow"], ["On /fast"]]);
  const late = async () =>
    (await operator.ask<{ needs: Need[] }>("GET", "/today")).body.needs.filter(({ type }) => type === "late");
  expect(await late()).toMatchObject([{ mode: "LIVE", runId, sourceId: "slow" }]);

  site.release();
  await cloud.waitUntilIdle();
  expect([await late(), await delivered()]).toEqual([[], ["On /fast"]]);
  await operator.runNow();
  expect(await delivered()).toEqual(["On /fast", "On /slow"]);
  for (const each of Object.values(sites)) each.close();
});
