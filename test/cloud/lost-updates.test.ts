import { beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { configuration, journal } from "../shared/records/sources/fixtures.ts";
import { sharedCloud } from "./local-cloud.ts";

let cloud: LocalCloud;
let authorization: string;

const source = {
  sourceId: "maps",
  title: "Maps",
  type: "RSS",
  url: "https://maps.example/feed",
  groupId: "IxTheo",
};
const rule = { tag: "245", subfield: "a", presence: "always" };
const conf = configuration(journal);

beforeAll(async () => {
  cloud = await sharedCloud();
  authorization = `Bearer ${await cloud.issueToken({ sub: "operator" })}`;
  expect((await ask("POST", "/config/import", { conf })).status).toBe(200);
  expect((await ask("POST", "/sources", source)).status).toBe(201);
  expect((await ask("PUT", "/collections/maps", { title: "Maps" })).status).toBe(200);
  expect((await ask("PUT", "/validation-rules", rule)).status).toBe(200);
});

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(cloud.apiUrl + path, {
    method,
    headers: { authorization, "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    etag: answer.headers.get("etag") ?? "",
    text,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

const etagOf = async (path: string) => (await ask("GET", path)).etag;
const etagOfRule = async () => {
  const { rules } = (await ask("GET", "/validation-rules")).body;
  return rules[0].etag as string;
};
const etagOfImports = async () => (await ask("POST", "/config/import?dryRun=true", { conf })).etag;

/** What is edited, where its ETag is, and the n-th change of it. */
const edited: [string, () => Promise<string>, (n: number) => [string, string, unknown]][] = [
  ["a source", () => etagOf("/sources/maps"), (n) => ["PATCH", "/sources/maps", { throttleMs: 1000 + n }]],
  [
    "a group",
    () => etagOf("/groups/IxTheo/delivery"),
    (n) => ["PUT", "/groups/IxTheo/delivery", { destination: { type: "S3" }, recordsPerFile: 100 + n }],
  ],
  [
    "a collection",
    () => etagOf("/collections/maps"),
    (n) => ["PUT", "/collections/maps", { title: `Maps ${n}` }],
  ],
  ["a rule", etagOfRule, (n) => ["PUT", "/validation-rules", { ...rule, regex: `^${n}` }]],
  [
    "the configuration",
    etagOfImports,
    (n) => ["POST", "/config/import", { conf: conf.replace("of tests", `of test ${n}`) }],
  ],
];

describe.each(edited)("%s", (_what, readEtag, change) => {
  const apply = (n: number, etag?: string) => {
    const [method, path, body] = change(n);
    return ask(method, path, body, etag === undefined ? {} : { "if-match": etag });
  };

  it("changes of the same version at once → one is done, the others are refused with 412", async () => {
    const etag = await readEtag();
    expect(etag).toMatch(/^"\S+"$/);
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => apply(n, etag)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // An import that begins while another one is in progress is refused as such.
    expect(statuses.filter((status) => ![200, 409, 412].includes(status))).toEqual([]);
    const stale = await apply(6, etag);
    expect(stale.body).toMatchObject({ status: 412, field: "If-Match", value: etag });
    expect(stale.status).toBe(412);
    const now = await readEtag();
    expect(now).not.toBe(etag);
    expect((await apply(7, now)).status).toBe(200);
  });

  it("any version, or none → the last write wins; a weak ETag → 412", async () => {
    expect((await apply(8, "*")).status).toBe(200);
    expect((await apply(9)).status).toBe(200);
    expect((await apply(10, `W/${await readEtag()}`)).status).toBe(412);
    expect((await apply(10, `"other", ${await readEtag()}`)).status).toBe(200);
  });
});

describe("the ETag of what was read, as If-None-Match", () => {
  const read = (path: string, known: string) => ask("GET", path, undefined, { "if-none-match": known });

  it.each([
    ["/sources/maps", (n: number) => ask("PATCH", "/sources/maps", { throttleMs: 2000 + n })],
    [
      "/groups/IxTheo/delivery",
      (n: number) =>
        ask("PUT", "/groups/IxTheo/delivery", { destination: { type: "S3" }, recordsPerFile: 200 + n }),
    ],
    ["/collections/maps", (n: number) => ask("PUT", "/collections/maps", { title: `Charts ${n}` })],
    [
      "/collections/maps",
      (n: number) => ask("POST", `/collections/maps/${n === 1 ? "hold" : "release"}`, { reason: "Test" }),
    ],
  ])("%s → 304 until it changes", async (path, change) => {
    for (const n of [1, 2]) {
      const etag = await etagOf(path);
      expect(await read(path, `"other", W/${etag}`)).toMatchObject({ status: 304, etag, text: "" });
      expect((await change(n)).status).toBe(200);
      expect((await read(path, etag)).status).toBe(200);
    }
  });

  it("a collection that is deleted and created again → not the one that was read", async () => {
    const make = (title: string) => ask("PUT", "/collections/again", { title });
    await make("First");
    const etag = await etagOf("/collections/again");
    expect((await ask("DELETE", "/collections/again")).status).toBe(204);
    await make("Second");
    expect((await read("/collections/again", etag)).body).toMatchObject({ title: "Second" });
  });

  it("any, with a rule that there is → 412; with one that there is not → created", async () => {
    const create = (subfield: string) =>
      ask("PUT", "/validation-rules", { ...rule, subfield }, { "if-none-match": "*" });
    expect((await create("x")).status).toBe(200);
    expect(await create("x")).toMatchObject({ status: 412, body: { field: "If-None-Match", value: "*" } });
  });
});

describe("deletions", () => {
  it.each([
    ["/sources/maps", () => etagOf("/sources/maps"), () => ask("PATCH", "/sources/maps", { throttleMs: 5 })],
    [
      "/collections/maps",
      () => etagOf("/collections/maps"),
      () => ask("PUT", "/collections/maps", { title: "New" }),
    ],
    [
      "/validation-rules?tag=245&subfield=a",
      etagOfRule,
      () => ask("PUT", "/validation-rules", { ...rule, regex: "^Z" }),
    ],
  ])(
    "%s of a version that others have changed → 412; of the present one → 204",
    async (path, read, write) => {
      const etag = await read();
      expect((await write()).status).toBe(200);
      expect((await ask("DELETE", path, undefined, { "if-match": etag })).status).toBe(412);
      expect((await ask("DELETE", path, undefined, { "if-match": await read() })).status).toBe(204);
    },
  );

  it("of what is not there → 412", async () => {
    const answer = await ask("PUT", "/collections/nobody", { title: "N" }, { "if-match": "*" });
    expect(answer.status).toBe(412);
  });
});

describe("a POST with an Idempotency-Key", () => {
  const post = (body: unknown, key: string, path = "/sources") =>
    ask("POST", path, body, { "idempotency-key": key });

  it("repeated → the same answer, and done once", async () => {
    const body = { ...source, sourceId: "almanac" };
    const first = await post(body, "almanac-1");
    expect(first.status).toBe(201);
    expect(await post(body, "almanac-1")).toEqual(first);
    expect((await post({ ...body, title: "Another" }, "almanac-2")).status).toBe(409);
  });

  it("many at once → done once; those meanwhile are told so", async () => {
    const body = { ...source, sourceId: "atlas" };
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(body, "atlas")));
    expect(answers.map(({ status }) => status).filter((status) => status !== 409)).toContain(201);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(await post(body, "atlas")).toMatchObject({ status: 201, etag: expect.stringMatching(/"/) });
  });

  it("another body → 422; a key that is none → 400", async () => {
    await post({ ...source, sourceId: "globes" }, "globes");
    const other = await post({ ...source, sourceId: "charts" }, "globes");
    expect(other.body).toMatchObject({ status: 422, field: "Idempotency-Key", value: "globes" });
    expect((await ask("GET", "/sources/charts")).status).toBe(404);
    expect((await post(source, "a b")).body).toMatchObject({ status: 400, field: "Idempotency-Key" });
  });

  it("of another operator → another key", async () => {
    const body = { ...source, sourceId: "gazette" };
    expect((await post(body, "gazette")).status).toBe(201);
    authorization = `Bearer ${await cloud.issueToken({ sub: "another" })}`;
    expect((await post({ ...body, title: "Another" }, "gazette")).status).toBe(409);
  });
});
