import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { demoSource } from "../../local/start/seed.ts";
import { type SftpServerForTests, serveSftp } from "../shared/deliver/upload/sftp-server.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator } from "./operator.ts";
import { deliverBySftp, setSftpLogin } from "./sftp-group.ts";

let site: DemoSite;
let receiver: SftpServerForTests;
let cloud: LocalCloud;
const stateDir = stateFolder();

beforeAll(async () => {
  [site, receiver] = await Promise.all([startDemoSite(), serveSftp()]);
  cloud = await testCloud(stateDir, { allowedPrivateHosts: [new URL(site.origin).host] });
});
afterAll(() => Promise.all([site.close(), receiver.close()]));

/** Has the group deliver by SFTP, splitting files at four records; logs in as the file of secrets says. */
async function configure(login: object): Promise<void> {
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  await storeConfiguration([demoSource(site.feedUrl)]);
  await deliverBySftp(receiver, { recordsPerFile: 4 });
  setSftpLogin(stateDir, login);
}

async function run(signal: AbortSignal) {
  const { runDelivery } = await import("../../local/start/run-delivery.ts");
  const [report] = await runDelivery([{ sourceId: "demo-journal" }], { print: () => {}, signal });
  return report;
}

/** Asks the API as an operator. */
const ask = async (method: string, path: string, body?: object) =>
  (await new Operator(cloud).ask<Record<string, unknown>>(method, path, body)).body;

const received = () =>
  [...receiver.files.values()].map((file) => file.toString().match(/<record>/g)?.length).sort();

describe("a group that takes its files by SFTP", () => {
  it("a run → every record received once, in files of the requested size", async ({ signal }) => {
    await configure({ privateKey: receiver.privateKey });
    expect(await run(signal)).toMatchObject({ run: { state: "finished" }, totals: { delivered: 10 } });
    expect([...receiver.files.keys()].sort()).toEqual([
      expect.stringMatching(/^Default\/input\/Ingather_zotero_\d{6}_001\.xml$/),
      expect.stringMatching(/_002\.xml$/),
      expect.stringMatching(/_003\.xml$/),
    ]);
    expect(received()).toEqual([2, 4, 4]);
    expect(receiver.done.filter((line) => line.startsWith("rename"))).toHaveLength(3);
  });

  it("a record that an operator resets → the next run delivers it again, and nothing else", async ({
    signal,
  }) => {
    const url = encodeURIComponent(`${site.origin}/article/how-to-knit-a-ladder`);
    const { recordId, state } = await ask("GET", `/archive?url=${url}`);
    expect(state).toBe("automatic");
    expect(await ask("PUT", `/archive/${recordId}`, { state: "reset" })).toMatchObject({ state: "reset" });
    expect(await run(signal)).toMatchObject({ totals: { delivered: 1 } });
    expect(received()).toEqual([1, 2, 4, 4]);
    expect(await ask("GET", "/reports/overdue")).toEqual({ overdue: [] });
  });
});
