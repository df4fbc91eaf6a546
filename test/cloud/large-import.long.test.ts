import { beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { configuration, journal } from "../shared/sources/fixtures.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const count = 10_000;
const sections = Array.from({ length: count }, (_, at) =>
  [`[Journal ${at}]`, ...journal].join("\n").replace("id = 4711", `id = ${10_000 + at}`),
);
const conf = [configuration(journal), ...sections].join("\n\n");

let cloud: LocalCloud;
beforeAll(async () => {
  cloud = await testCloud(stateFolder());
});

async function ask(method: string, path: string, body?: unknown) {
  const authorization = `Bearer ${await cloud.issueToken({ sub: "operator" })}`;
  const answer = await fetch(cloud.apiUrl + path, {
    method,
    headers: { authorization, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

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
});
