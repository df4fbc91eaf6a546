import { beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import type { Faults } from "../../local/cloud/faults.ts";
import { deadLetterQueueName, functionNames, queueNames } from "../../shared/names.ts";
import { configuration, journal } from "../shared/records/sources/fixtures.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { Operator } from "./operator.ts";

const count = 10_000;
const sections = Array.from({ length: count }, (_, at) =>
  [`[Journal ${at}]`, ...journal].join("\n").replace("id = 4711", `id = ${10_000 + at}`),
);
const conf = [configuration(journal), ...sections].join("\n\n");

let cloud: LocalCloud;
let isUnavailable = false;
const outage: Faults = {
  ofCall: ({ functionName }) =>
    isUnavailable && functionName === functionNames.importConfiguration ? "fail" : undefined,
  ofDelivery: () => undefined,
  pauseMs: () => 0,
  clockOffset: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
};
beforeAll(async () => {
  cloud = await testCloud(stateFolder(), { faults: outage });
});

const ask = (method: string, path: string, body?: object) =>
  new Operator(cloud).ask<ReturnType<typeof JSON.parse>>(method, path, body);

describe(`an import of ${count} sources`, () => {
  it("→ 202; it ends with all applied, as one version; done again → nothing changes", async () => {
    const total = count + 4;
    const accepted = await ask("POST", "/config/import", { conf });
    expect(accepted).toMatchObject({ status: 202, body: { status: "waiting", total } });
    const path = String(accepted.body.result);
    await expect
      .poll(async () => (await ask("GET", path)).status, { timeout: 240_000, interval: 500 })
      .toBe(200);
    const { body } = await ask("GET", path);
    expect(body).toMatchObject({ status: "done", total, applied: total, version: 1 });
    expect(body).not.toHaveProperty("failed");
    const importId = path.split("/").at(-1);
    const { versions } = (await ask("GET", "/config/versions")).body;
    expect(versions).toEqual([expect.objectContaining({ version: 1, added: total, changed: 0, importId })]);
    expect((await ask("GET", `/sources/ixtheo-${10_000 + count - 1}`)).status).toBe(200);
    const again = await ask("POST", "/config/import", { conf });
    expect(again).toMatchObject({ status: 200, body: { changes: [], unchanged: total } });
  });

  it("import-stopped → the job is not done; redriven, it is applied as one version", async () => {
    const operator = new Operator(cloud);
    const changed = conf.replaceAll(/^zotero_url *=.*$/gm, "zotero_url = https://journal.example/moved");
    expect(changed).not.toBe(conf);
    isUnavailable = true;
    await operator.switchEventSources(false, queueNames.imports);
    const accepted = await ask("POST", "/config/import", { conf: changed });
    expect(accepted.status).toBe(202);
    const path = String(accepted.body.result);
    expect(await operator.failUntilDead(queueNames.imports, functionNames.importConfiguration)).toBe(8);
    expect((await ask("GET", path)).body).not.toMatchObject({ status: "done" });
    isUnavailable = false;
    await operator.switchEventSources(true, queueNames.imports);
    expect(await operator.redrive(deadLetterQueueName(queueNames.imports))).toMatchObject({
      Status: "COMPLETED",
    });
    await expect.poll(async () => (await ask("GET", path)).body.status, { timeout: 240_000 }).toBe("done");
    const { versions } = (await ask("GET", "/config/versions")).body;
    expect(versions).toMatchObject([{ version: 2 }, { version: 1 }]);
  });
});
