import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { demoSource, localGroup } from "../../local/seed.ts";
import { secretNames } from "../../shared/names.ts";
import { group } from "../../shared/sources/group.ts";
import { type SftpServerForTests, serveSftp } from "../shared/web/sftp-server.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

let site: DemoSite;
let receiver: SftpServerForTests;
const stateDir = stateFolder();

beforeAll(async () => {
  [site, receiver] = await Promise.all([startDemoSite(), serveSftp()]);
  await testCloud(stateDir, { allowedPrivateHosts: [new URL(site.origin).host] });
});
afterAll(() => Promise.all([site.close(), receiver.close()]));

/** Has the group deliver by SFTP, splitting files at four records; logs in as the file of secrets says. */
async function configure(login: object): Promise<void> {
  const { configurationStore } = await import("../../shared/aws/configuration-store.ts");
  const { seed } = await import("../../local/run-now.ts");
  const { port, hostKeyFingerprint } = receiver;
  const destination = { type: "SFTP", host: "127.0.0.1", port, username: "ingather", hostKeyFingerprint };
  await seed([demoSource(site.feedUrl)]);
  await configurationStore().put({
    kind: "group",
    id: localGroup.groupId,
    value: group.parse({ ...localGroup, destination, recordsPerFile: 4 }),
  });
  const secrets = { [secretNames.sftpLogin(localGroup.groupId)]: JSON.stringify(login) };
  writeFileSync(join(stateDir, "secrets.json"), JSON.stringify(secrets));
}

describe("a group that takes its files by SFTP", () => {
  it("a run → every record received once, in files of the size that was asked for", async () => {
    await configure({ privateKey: receiver.privateKey });
    const { runNow } = await import("../../local/run-now.ts");
    const [report] = await runNow([{ sourceId: "demo-journal" }], {
      tell: () => {},
      signal: AbortSignal.timeout(100_000),
    });
    expect(report).toMatchObject({ run: { state: "finished" }, totals: { delivered: 10 } });
    expect([...receiver.files.keys()].sort()).toEqual([
      expect.stringMatching(/^Default\/input\/Ingather_zotero_\d{6}_001\.xml$/),
      expect.stringMatching(/_002\.xml$/),
      expect.stringMatching(/_003\.xml$/),
    ]);
    const records = [...receiver.files.values()].map((file) => file.toString().match(/<record>/g)?.length);
    expect(records.sort()).toEqual([2, 4, 4]);
    expect(receiver.done.filter((line) => line.startsWith("rename"))).toHaveLength(3);
  });
});
