import { beforeEach, describe, expect, it } from "vitest";
import { groupSubject } from "../../../../shared/deliver/routes/group-routes.ts";
import { addSource } from "../../../../shared/records/sources/added-sources.ts";
import { importConfiguration } from "../../../../shared/records/sources/conf/import-configuration.ts";
import { serve } from "../../api/serve.ts";
import { configuration, journal } from "../../records/sources/fixtures.ts";
import { MemoryConfiguration } from "../../records/sources/memory-configuration.ts";

const receiver = {
  type: "SFTP",
  host: "receiver.example",
  username: "ingather",
  hostKeyFingerprint: `SHA256:${"A".repeat(43)}`,
};
const take = () =>
  importConfiguration(
    { ini: configuration(journal), files: {} },
    { configuration: store, leases: store.leases, quality: store.quality },
    {
      dryRun: false,
      allowRemovals: false,
      isStrict: false,
      by: "a test",
      now: () => new Date("2026-11-20T10:00:00Z"),
    },
  );

let store: MemoryConfiguration;
beforeEach(async () => {
  store = new MemoryConfiguration();
  await take();
});

const ports = () => ({
  configuration: store,
  clock: { now: () => new Date("2026-11-20T10:00:00Z"), sleep: async () => {} },
});

async function request(group: string, body?: unknown) {
  const app = serve([groupSubject], ports());
  const put = { method: "PUT", body: JSON.stringify(body) };
  const answer = await app.request(`/groups/${group}/delivery`, body === undefined ? {} : put);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe("/groups/{id}/delivery", () => {
  it("nothing stored → defaults", async () => {
    const body = { destination: { type: "S3" }, recordsPerFile: 10_000 };
    expect(await request("IxTheo")).toEqual({ status: 200, body });
  });

  it.each(["receiver", "a-b.c_d.example", "192.0.2.1", "2001:db8::1"])(
    "PUT with the host %s → kept",
    async (host) => {
      const { status } = await request("IxTheo", {
        destination: { ...receiver, host, liveFolder: "/in/.x/a..b" },
      });
      expect(status).toBe(200);
    },
  );

  it("PUT → stored with defaults; the next import keeps it", async () => {
    const destination = {
      ...receiver,
      port: 22,
      liveFolder: "Default/input",
      testFolder: "Default_Test/input",
    };
    const answer = { status: 200, body: { destination, recordsPerFile: 500 } };
    expect(await request("IxTheo", { destination: receiver, recordsPerFile: 500 })).toEqual(answer);
    expect(await request("IxTheo")).toEqual(answer);
    expect(await take()).toMatchObject({ changes: [] });
  });

  it.each<[string, string, unknown, number, RegExp]>([
    ["a group that there is not", "Nobody", {}, 404, /^there is no group Nobody$/],
    [
      "a bad fingerprint",
      "IxTheo",
      { destination: { ...receiver, hostKeyFingerprint: "MD5:1" } },
      400,
      /^destination\.hostKeyFingerprint: .*"MD5:1"/,
    ],
    ...["a\nb", "a\u202eb", ""].map((username): [string, string, unknown, number, RegExp] => [
      `the user name ${JSON.stringify(username)}`,
      "IxTheo",
      { destination: { ...receiver, username } },
      400,
      /^destination\.username: /,
    ]),
    ["an unknown name", "IxTheo", { destination: { ...receiver, liveFodler: "x" } }, 400, /liveFodler/],
    ...["a b", "sftp://a.example", "a.example:22", "u@a.example", ""].map(
      (host): [string, string, unknown, number, RegExp] => [
        `the host "${host}"`,
        "IxTheo",
        { destination: { ...receiver, host } },
        400,
        new RegExp(`^destination\\.host: .*"${host}"`),
      ],
    ),
    ...["../../etc", "a/..", "./a", "a//b"].map((folder): [string, string, unknown, number, RegExp] => [
      `the folder ${folder}`,
      "IxTheo",
      { destination: { ...receiver, liveFolder: folder } },
      400,
      new RegExp(`^destination\\.liveFolder: .*"${folder}"`),
    ]),
    ["records without end", "IxTheo", { recordsPerFile: 1e12 }, 400, /^recordsPerFile: .*1000000000000\)/],
    ["no records in a file", "IxTheo", { recordsPerFile: 0 }, 400, /^recordsPerFile: .*0\)/],
  ])("PUT with %s → refused, nothing is written", async (_title, group, body, status, says) => {
    const before = new Map(store.stored);
    expect(await request(group, body)).toEqual({
      status,
      body: expect.objectContaining({ detail: expect.stringMatching(says) }),
    });
    expect(store.stored).toEqual(before);
  });

  it("invalid stored settings → answered with the group and the problem", async () => {
    const [group] = (await store.items()).filter(({ id }) => id === "IxTheo");
    if (group === undefined) throw new Error("no group");
    await store.put({ ...group, value: { ...group.value, recordsPerFile: 0 } });
    const problem = expect.stringMatching(/^group IxTheo: recordsPerFile: /);
    expect((await request("IxTheo")).body).toMatchObject({ recordsPerFile: 0, problem });
  });
});

describe("groups that operators add", () => {
  const library = {
    groupId: "Library",
    isil: "DE-1",
    userAgent: "Library (https://l.example/)",
    outputFolder: "library",
  };
  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await serve([groupSubject], ports()).request(path, init);
    const text = await answer.text();
    const etag = answer.headers.get("etag") ?? "";
    return { status: answer.status, etag, body: text === "" ? {} : JSON.parse(text) };
  }
  const add = (change: object = {}) => send("POST", "/groups", { ...library, ...change });
  const use = () =>
    addSource(
      { sourceId: "maps", title: "Maps", type: "RSS", url: "https://a.example/feed", groupId: "Library" },
      {
        ...ports(),
        events: { publish: async () => {} },
        setRegistrations: { send: async () => {} },
        documentDeletions: { send: async () => {} },
        harvests: { end: async () => {} },
        quality: { forget: async () => {} },
      },
    );

  it("POST, again → the same; GET and the list have it; an import leaves it", async () => {
    const added = await add();
    expect(added).toMatchObject({ status: 201, body: { ...library, recordsPerFile: 10_000 } });
    expect(await add()).toEqual(added);
    await take();
    expect(await send("GET", "/groups/Library")).toMatchObject({ status: 200, body: added.body });
    const { body: first } = await send("GET", "/groups?limit=1");
    expect([first.groups.map(({ groupId }: { groupId: string }) => groupId), first.next]).toEqual([
      ["IxTheo"],
      "IxTheo",
    ]);
    const { body: rest } = await send("GET", "/groups?limit=1&after=IxTheo");
    expect(rest.groups).toEqual([added.body]);
  });

  it("a source of it → is taken", async () => {
    await expect(use()).rejects.toThrow("there is no such group");
    await add();
    expect(await use()).toMatchObject({ value: { groupId: "Library" } });
  });

  it.each([
    ["another group with the id", { isil: "DE-2" }, 409, "there is another group Library"],
    ["the id of a group of the file", { groupId: "IxTheo" }, 409, "there is another group IxTheo"],
    ["an unknown field", { colour: "red" }, 400, "colour"],
    ["no ISIL", { isil: undefined }, 400, "isil"],
    ["a folder that leads out", { outputFolder: "../x" }, 400, "outputFolder"],
  ])("POST of %s → refused", async (_, change, status, expected) => {
    await add();
    const answer = await add(change);
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringContaining(expected)]);
  });

  it("PATCH → any field, null resets; of one that was seen before another change → 412", async () => {
    const { etag } = await add({ recipients: ["a@l.example"] });
    const changed = await send(
      "PATCH",
      "/groups/Library",
      { isil: "DE-9", recipients: null },
      { "if-match": etag },
    );
    expect(changed).toMatchObject({ status: 200, body: { isil: "DE-9", recipients: [] } });
    expect((await send("PATCH", "/groups/Library", { isil: "DE-8" }, { "if-match": etag })).status).toBe(412);
    expect((await send("GET", "/groups/Library")).body.isil).toBe("DE-9");
    for (const wrong of [{ groupId: "x" }, { colour: 1 }, { isil: null }])
      expect((await send("PATCH", "/groups/Library", wrong)).status, JSON.stringify(wrong)).toBe(400);
    expect((await send("PATCH", "/groups/none", {})).status).toBe(404);
  });

  it("PATCH of a group of the file → its operator fields, no other", async () => {
    const set = await send("PATCH", "/groups/IxTheo", { recipients: ["a@l.example"] });
    expect(set).toMatchObject({ status: 200, body: { recipients: ["a@l.example"] } });
    const { status, body } = await send("PATCH", "/groups/IxTheo", { isil: "DE-9" });
    expect([status, body.detail]).toEqual([
      400,
      expect.stringContaining("comes from the configuration file"),
    ]);
  });

  it("DELETE → gone, twice → 404; while sources use it, or of the file → 409, and it stays", async () => {
    const { etag } = await add();
    await use();
    const used = await send("DELETE", "/groups/Library");
    expect([used.status, used.body.detail]).toEqual([409, expect.stringContaining("such as maps")]);
    expect((await send("DELETE", "/groups/IxTheo")).status).toBe(409);
    store.stored.delete("source maps");
    expect((await send("DELETE", "/groups/Library", undefined, { "if-match": '"77"' })).status).toBe(412);
    expect((await send("DELETE", "/groups/Library", undefined, { "if-match": etag })).status).toBe(204);
    expect((await send("DELETE", "/groups/Library")).status).toBe(404);
    expect((await send("GET", "/groups/IxTheo")).status).toBe(200);
  });
});
