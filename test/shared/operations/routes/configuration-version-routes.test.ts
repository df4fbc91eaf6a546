import { beforeEach, describe, expect, it } from "vitest";
import { configurationSubject } from "../../../../shared/operations/routes/configuration-routes.ts";
import { configurationVersionSubject } from "../../../../shared/operations/routes/configuration-version-routes.ts";
import { serve } from "../../api/serve.ts";
import { memoryImports } from "../../memory/imports.ts";
import { configuration, journal } from "../../records/sources/fixtures.ts";
import { MemoryConfiguration } from "../../records/sources/memory-configuration.ts";

const clock = { now: () => new Date("2026-11-20T10:00:00Z"), sleep: () => Promise.resolve() };

let store: MemoryConfiguration;
beforeEach(() => {
  store = new MemoryConfiguration();
});

async function ask(method: string, path: string, body?: string) {
  const ports = {
    configuration: store,
    configurationHistory: store.changes,
    leases: store.leases,
    quality: store.quality,
    clock,
    imports: memoryImports(),
    importsQueue: { send: async () => {} },
    newId: () => "i",
  };
  const app = serve<typeof ports>([configurationSubject, configurationVersionSubject], ports);
  const headers = { "content-type": "text/plain" };
  const answer = await app.request(path, { method, headers, ...(body !== undefined && { body }) });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const importFile = (ini: string) => ask("POST", "/config/import?allowRemovals=true", ini);
const second = ["zeder_id = 4712", ...journal.slice(1)];

/** The values of all items, by kind and id. */
const values = () =>
  Object.fromEntries([...store.stored].map(([name, json]) => [name, JSON.parse(json).value]));

describe("a rollback", () => {
  it("of the latest import → all as it was before; rolled back as well → the import again", async () => {
    await importFile(configuration(journal));
    const first = values();
    await importFile(configuration(second));
    const after = values();
    expect(Object.keys(after)).not.toEqual(Object.keys(first));
    const dry = await ask("POST", "/config/versions/2/rollback?dryRun=true");
    expect(dry.body).toMatchObject({ changeCount: 2, keptCount: 0 });
    expect(dry.body).not.toHaveProperty("version");
    expect(values()).toEqual(after);
    const done = await ask("POST", "/config/versions/2/rollback");
    expect(done.body.version).toBe(3);
    expect(done.body.changes.map(({ type }: { type: string }) => type).sort()).toEqual(["added", "removed"]);
    expect(values()).toEqual(first);
    expect((await ask("POST", "/config/versions/3/rollback")).body.version).toBe(4);
    expect(values()).toEqual(after);
    // The import, its rollback, and the rollback of that removed a source each.
    const [removedFirst, removedSecond, ...others] = store.forgotten;
    expect([others, removedSecond === removedFirst]).toEqual([[removedFirst], false]);
    const { body } = await ask("GET", "/config/versions?limit=3");
    expect(body.versions.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2]);
    expect((await ask("GET", `/config/versions?after=${body.next}`)).body).toMatchObject({
      versions: [{ version: 1 }],
    });
  });

  it("of an item that an operator has changed since → it stays, and the others are taken back", async () => {
    await importFile(configuration(journal));
    await store.setFields({ kind: "source", id: "ixtheo-4711" }, { throttleMs: 5 });
    const { body } = await ask("POST", "/config/versions/1/rollback");
    expect(body.kept).toEqual([
      { kind: "source", id: "ixtheo-4711", reason: "it was changed after the import" },
      { kind: "group", id: "IxTheo", reason: "a source that is kept needs it" },
    ]);
    expect(Object.keys(values()).sort()).toEqual(["group IxTheo", "source ixtheo-4711"]);
  });

  it("written by others meanwhile → compared again, and their item is kept", async () => {
    await importFile(configuration(journal));
    let isWritten = false;
    store.meanwhile = async () => {
      if (isWritten) return;
      isWritten = true;
      await store.setFields({ kind: "source", id: "ixtheo-4711" }, { throttleMs: 5 });
    };
    expect((await ask("POST", "/config/versions/1/rollback")).status).toBe(200);
    expect(Object.keys(values())).toContain("source ixtheo-4711");
  });

  it.each([
    ["of no version", "/config/versions/9/rollback", 404, /no version 9/],
    ["of an earlier version", "/config/versions/1/rollback", 409, /roll 2 back first/],
    ["of what is not a number", "/config/versions/x/rollback", 400, /^version: .*"x"/],
  ])("%s → refused", async (_what, path, status, says) => {
    await importFile(configuration(journal));
    await importFile(configuration(second));
    const before = values();
    const answer = await ask("POST", path);
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringMatching(says)]);
    expect(values()).toEqual(before);
  });
});
