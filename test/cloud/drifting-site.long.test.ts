import { createServer } from "node:http";
import { beforeAll, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { createFaults } from "../../local/cloud/faults.ts";
import { shiftClock } from "../../local/cloud/lambda/shift-clock.ts";
import type { Need } from "../../shared/operations/today/needs.ts";
import { afterFile } from "../after-file.ts";
import { listen } from "../listen.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator } from "./operator.ts";

const dayMs = 86_400_000;
const articlesPerDay = 6;

/** A feed with new articles each day, and their pages, which lose their volumes and then get them back. */
async function startSite() {
  const state = { day: 1, hasVolumes: true };
  const server = createServer(({ url = "/", headers }, response) => {
    const send = (type: string, body: string) => response.writeHead(200, { "content-type": type }).end(body);
    if (url === "/robots.txt") return response.writeHead(404).end();
    if (url === "/feed") {
      const items = Array.from(
        { length: articlesPerDay },
        (_, at) => `<item><title>T</title><link>http://${headers.host}/d${state.day}n${at}</link></item>`,
      );
      return send(
        "application/rss+xml",
        `<rss version="2.0"><channel><title>Lantern</title>${items.join("")}</channel></rss>`,
      );
    }
    const meta: Record<string, string> = {
      title: `On ${url}`,
      author: "Weaver, Ada",
      issue: "2",
      publication_date: "2026",
      doi: `10.5555${url}`,
      ...(state.hasVolumes && { volume: "1" }),
    };
    const tags = Object.entries(meta).map(
      ([name, content]) => `<meta name="citation_${name}" content="${content}">`,
    );
    send("text/html", `<title>x</title>${tags.join("")}`);
  });
  const { host } = new URL(await listen(server));
  afterFile(() => void server.close());
  return { host, state };
}

let cloud: LocalCloud;
let operator: Operator;
let site: Awaited<ReturnType<typeof startSite>>;
const faults = createFaults({ probability: 0, seed: 1 });

beforeAll(async () => {
  shiftClock(faults.worldOffset);
  site = await startSite();
  cloud = await testCloud(stateFolder(), {
    faults,
    allowedPrivateHosts: [site.host],
    context: { "ingather:consoleUrl": "https://ingather.example/console" },
  });
  operator = new Operator(cloud);
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  const { localGroup } = await import("../../local/local-group.ts");
  await storeConfiguration([
    {
      ...{ sourceId: "lantern", title: "Lantern", type: "RSS" as const, url: `http://${site.host}/feed` },
      ...{ groupId: localGroup.groupId, deliveryMode: "LIVE" as const, throttleMs: 0 },
    },
  ]);
});

const drifted = async () =>
  (await operator.ask<{ needs: Need[] }>("GET", "/today")).body.needs.filter(
    ({ type }) => type === "quality-drifted",
  );

/** Lets a day pass, and runs its delivery; gives what its mail says about quality. */
async function runDay(day: number, hasVolumes: boolean): Promise<string> {
  faults.passTime(dayMs);
  Object.assign(site.state, { day, hasVolumes });
  expect((await operator.runNow()).state).toBe("finished");
  const { body } = await operator.ask<{ mails: { mailId: string }[] }>("GET", "/mails");
  const mail = await operator.ask<{ text: string }>("GET", `/mails/${body.mails[0]?.mailId}`);
  return /QUALITY\n(.*?)\n\n/s.exec(mail.body.text)?.[1] ?? "";
}

it("a week of a site that changes its pages → told on the day, once, with the way to its page; then recovered", async () => {
  for (const day of [1, 2, 3]) expect([await runDay(day, true), await drifted()]).toEqual(["", []]);
  expect(await runDay(4, false)).toBe(
    "  936 $e of Lantern: 0 of 6, was 18 of 18: its pages have changed\n    https://ingather.example/console/sources/lantern/quality",
  );
  const shares = { now: { has: 0, of: 6 }, before: { has: 18, of: 18 } };
  const need = {
    sourceId: "lantern",
    title: "Lantern",
    fields: [{ field: "issue", place: "936 $e", ...shares }],
  };
  expect(await drifted()).toEqual([{ type: "quality-drifted", ...need }]);
  expect([await runDay(5, false), await drifted()]).toMatchObject(["", [need]]);
  expect(await runDay(6, true)).toContain("936 $e of Lantern: 6 of 6, was 0 of 6: recovered");
  expect([await runDay(7, true), await drifted()]).toEqual(["", []]);
  const { body } = await operator.ask<{ runs: object[]; drifts: object[] }>(
    "GET",
    "/sources/lantern/quality",
  );
  expect([body.runs.length, body.drifts]).toMatchObject([7, [{ field: "issue", recovered: {} }]]);
});
