import { afterEach, describe, expect, test } from "vitest";
import {
  fromHostsFile,
  fromNameServers,
  fromSystem,
  inOrder,
  type Resolve,
} from "../../../../shared/web/exchange/resolve.ts";
import { type DnsReply, type NameServer, serveNames } from "../name-server.ts";

const four = { address: "192.0.2.1", family: 4 };
const six = { address: "2001:db8:0:0:0:0:0:1", family: 6 };
const never = new AbortController().signal;

let server: NameServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function servedBy(tell: (name: string) => DnsReply): Promise<Resolve> {
  server = await serveNames(tell);
  return fromNameServers([server.address]);
}

describe("fromNameServers", () => {
  test.each<[string, DnsReply, unknown]>([
    [
      "both families → IPv4 first",
      { a: four.address, aaaa: "2001:0db8:0000:0000:0000:0000:0000:0001" },
      [four, { ...six, address: "2001:db8::1" }],
    ],
    ["IPv4 alone", { a: four.address }, [four]],
    ["IPv6 alone", { aaaa: "2001:0db8:0000:0000:0000:0000:0000:0001" }, [{ ...six, address: "2001:db8::1" }]],
    ["neither → none", {}, []],
    ["an unknown name → none", "unknown", []],
    [
      "a server that never answers for one family → the addresses of the other",
      "a, and silence of aaaa",
      [{ address: "192.0.2.9", family: 4 }],
    ],
  ])("%s", async (_title, told, expected) => {
    expect(await (await servedBy(() => told))("host.example", never)).toEqual(expected);
  });

  test("a server that fails → an error that says so", async () => {
    await expect((await servedBy(() => "failure"))("host.example", never)).rejects.toThrow(
      "the name servers could not resolve host.example (ESERVFAIL)",
    );
  });

  test("thirty names that nobody answers → another is resolved meanwhile, and giving up ends them", async () => {
    const resolve = await servedBy((name) => (name.startsWith("dead") ? "silence" : { a: four.address }));
    const giveUp = new AbortController();
    let ended = 0;
    const dead = Array.from({ length: 30 }, (_, number) =>
      resolve(`dead${number}.example`, giveUp.signal).finally(() => ended++),
    );
    expect(await resolve("good.example", never)).toEqual([four]);
    expect(ended).toBe(0);
    giveUp.abort();
    const settled = await Promise.allSettled(dead);
    expect(settled.map(({ status }) => status)).toEqual(dead.map(() => "rejected"));
  });
});

describe("fromHostsFile", () => {
  const text = [
    "127.0.0.1 localhost # this machine",
    "# 10.0.0.1 commented.example",
    "10.0.0.2\tdemo.internal  Demo",
    "fd00::2 demo.internal",
    "fe80::1%lo0 localhost",
    "not-an-address odd.example",
    "",
  ].join("\r\n");

  test.each([
    ["localhost", [{ address: "127.0.0.1", family: 4 }]],
    [
      "demo.internal",
      [
        { address: "10.0.0.2", family: 4 },
        { address: "fd00::2", family: 6 },
      ],
    ],
    ["demo", [{ address: "10.0.0.2", family: 4 }]],
    ["commented.example", []],
    ["odd.example", []],
    [
      "app.localhost",
      [
        { address: "127.0.0.1", family: 4 },
        { address: "::1", family: 6 },
      ],
    ],
  ])("%s → %j", async (name, expected) => {
    expect(await fromHostsFile(async () => text)(name, never)).toEqual(expected);
  });

  test("no such file → no hosts", async () => {
    const read = async (): Promise<string> => {
      throw new Error("ENOENT");
    };
    expect(await fromHostsFile(read)("demo.internal", never)).toEqual([]);
  });
});

describe("fromSystem", () => {
  test.each([
    ["a name that the machine understands", "127.0.0.1", [{ address: "127.0.0.1", family: 4 }]],
    ["a name that nobody can have", `${"x".repeat(70)}.invalid`, []],
  ])("%s → %j: %j", async (_title, name, expected) => {
    expect(await fromSystem(name, never)).toEqual(expected);
  });
});

describe("inOrder", () => {
  const none: Resolve = async () => [];
  const unclear: Resolve = async () => {
    throw new Error("unclear");
  };

  test("the first that has addresses counts", async () => {
    expect(await inOrder(none, async () => [four], unclear)("host.example", never)).toEqual([four]);
    expect(await inOrder(none, none)("host.example", never)).toEqual([]);
  });

  test("a failing way → its error; aborted → no lookup", async () => {
    await expect(inOrder(unclear, async () => [four])("host.example", never)).rejects.toThrow("unclear");
    await expect(inOrder(none)("host.example", AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
  });
});
