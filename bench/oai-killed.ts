/**
 * Harvests an OAI-PMH list on the local cloud, kills its process five times with SIGKILL, and counts the
 * stored records. Each record must be stored once, with one version.
 *
 * Usage: npx node bench/oai-killed.ts [records] [seconds between two kills]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startRepository, storeOaiSource } from "./oai-harvest.ts";

const killCount = 5;
const sourceId = "killed";

async function main(records: number, killAfterMs: number): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), "oai-killed-"));
  const { process: server, url } = await startRepository();
  const startedAt = performance.now();
  try {
    for (let kills = 0; kills < killCount; kills++) {
      const child = fork(import.meta.filename, ["harvest", stateDir, url, String(records)]);
      const exited = once(child, "exit");
      await Promise.race([sleep(killAfterMs), exited]);
      if (!child.kill("SIGKILL"))
        throw new Error(
          `the harvest ended before it was killed ${killCount} times; set a shorter time between kills`,
        );
      await exited;
    }
    const child = fork(import.meta.filename, ["harvest", stateDir, url, String(records)]);
    const [found] = (await once(child, "message")) as [
      { documents: number; versions: number; completeness: string },
    ];
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    console.log(`killed ${killCount} times, ${seconds} s: ${JSON.stringify(found)}`);
    const isRight =
      found.documents === records && found.versions === records && found.completeness === "complete";
    process.exitCode = isRight ? 0 : 1;
  } finally {
    server.kill();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

/**
 * Opens the cloud, starts the harvest unless it is in progress, and reports the stored records when the
 * harvest has ended.
 */
async function harvest(stateDir: string, url: string, records: number): Promise<void> {
  const { openCloud } = await import("../local/open-cloud.ts");
  const cloud = await openCloud({
    stateDir,
    apiPort: 0,
    schedules: "none",
    allowedPrivateHosts: [new URL(url).host],
    defaultDelayMs: 0,
    attempts: 4,
    backoffBaseMs: 20,
    faults: undefined,
  });
  const { documentStore } = await import("../shared/adapters/records/document-store.ts");
  const { oaiHarvests, start } = await storeOaiSource({ sourceId, url, records, throttleMs: 0 });
  await start();
  for (;;) {
    const last = (await oaiHarvests.get(sourceId))?.last;
    if (last !== undefined) {
      await cloud.waitUntilIdle();
      process.send?.({ ...(await count()), completeness: last.completeness.type }, () => process.exit());
      return;
    }
    await sleep(500);
  }

  async function count(): Promise<{ documents: number; versions: number }> {
    let documents = 0;
    let versions = 0;
    let after: string | undefined;
    do {
      const page = await documentStore().list(sourceId, {
        limit: 500,
        ...(after !== undefined && { after }),
      });
      documents += page.documents.length;
      versions += page.documents.reduce((sum, document) => sum + document.versions.length, 0);
      after = page.next;
    } while (after !== undefined);
    return { documents, versions };
  }
}

const [, , mode, ...args] = process.argv;
if (mode === "harvest") await harvest(args[0] ?? "", args[1] ?? "", Number(args[2]));
else await main(Number(mode ?? 50_000), 1000 * Number(args[0] ?? 30));
