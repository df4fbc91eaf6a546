import { beforeEach, describe, expect, it } from "vitest";
import { groupSubject } from "../../../../shared/deliver/routes/group-routes.ts";
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
    { configuration: store, leases: store.leases },
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

async function request(group: string, body?: unknown) {
  const app = serve([groupSubject], { configuration: store });
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
