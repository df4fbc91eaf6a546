import { describe, expect, it } from "vitest";
import { MemoryPorts } from "../../memory-ports.ts";
import {
  type Article,
  deliver,
  deliveredTitles,
  harvested,
  ordinary,
  runStage,
  sftpDestination,
  titlesIn,
} from "../run-world.ts";

describe("the records of a run", () => {
  it("killed at any write, before or after it is done → every record in exactly one file", async () => {
    let kills = 0;
    for (const before of [true, false]) {
      for (let writes = 0; ; writes += 1) {
        const ports = new MemoryPorts();
        harvested(ports, "run", [
          ...ordinary,
          { id: "twin", title: "On b", urls: ["https://journal.example/b"], doi: "10.5555/twin" },
          { id: "bad", title: "", urls: ["https://journal.example/bad"] },
          { id: "early", urls: ["https://journal.example/early"], isOnlineFirst: true },
        ]);
        const startedAt = ports.now;
        ports.dieAfter(writes, { before });
        await deliver("run", ports);
        const died = ports.now !== startedAt;
        const when = `killed ${before ? "before" : "after"} write ${writes}`;
        expect(deliveredTitles(ports), when).toEqual(["On a", "On b", "On c"]);
        expect(titlesIn(ports.files.get("test/Test_zotero_261120_001_online_first.xml")), when).toEqual([
          "On early",
        ]);
        expect(ports.files.size, when).toBe(5);
        expect(ports.deliveriesByKey.size).toBe(2);
        expect(ports.archived.get("record:bad")?.state, when).toBe("error");
        expect(ports.archived.has("doi:10.5555/twin"), when).toBe(false);
        expect(ports.archived.get("record:early")?.state, when).toBe("online_first");
        expect(ports.runsById.get("run")?.state).toBe("finished");
        if (!died) break;
        kills += 1;
      }
    }
    expect(kills).toBeGreaterThan(80);
  });

  it("killed at any write of a delivery by SFTP → every file received once, and whole", async () => {
    let kills = 0;
    for (const before of [true, false]) {
      for (let writes = 0; ; writes += 1) {
        const ports = new MemoryPorts();
        harvested(ports, "run", ordinary, { group: { destination: sftpDestination } });
        const startedAt = ports.now;
        ports.dieAfter(writes, { before });
        await deliver("run", ports);
        const received = ports.received.map(([path, content]) => [path, titlesIn(content)]).sort();
        expect(received, `killed ${before ? "before" : "after"} write ${writes}`).toEqual([
          ["Default/input/Other_zotero_261120_001.xml", ["On c"]],
          ["Default/input/Test_zotero_261120_001.xml", ["On a", "On b"]],
        ]);
        expect([...ports.remote.keys()]).toEqual([]);
        if (ports.now === startedAt) break;
        kills += 1;
      }
    }
    expect(kills).toBeGreaterThan(60);
  });

  it("sent by two at once → the second waits, received once, no .tmp left", async () => {
    const ports = new MemoryPorts();
    harvested(ports, "run", ordinary, { mode: "TEST", group: { destination: sftpDestination } });
    await runStage("validate", { runId: "run" }, ports);
    const both = await Promise.allSettled([
      runStage("upload", { runId: "run" }, ports),
      runStage("upload", { runId: "run" }, ports),
    ]);
    expect(both).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { name: "ThrottledError" } },
    ]);
    expect(ports.received.map(([path]) => path).sort()).toEqual([
      "Default_Test/input/Other_zotero_261120_001.xml",
      "Default_Test/input/Test_zotero_261120_001.xml",
    ]);
    expect([...ports.remote.keys()]).toEqual([]);
  });

  it("an upload whose worker was killed → continues within a minute, in the invocation that finds the lease", async () => {
    const ports = new MemoryPorts();
    harvested(ports, "run", ordinary);
    await runStage("validate", { runId: "run" }, ports);
    const startedMs = ports.now.getTime();
    // In the files, under the lease: the claims before it are 13 writes.
    ports.dieAfter(15, { before: true });
    await expect(runStage("upload", { runId: "run" }, ports)).rejects.toThrow();
    ports.live();
    const clock = {
      now: () => ports.now,
      sleep: async (ms: number) => {
        ports.now = new Date(ports.now.getTime() + ms);
      },
    };
    await runStage("upload", { runId: "run" }, Object.assign(ports, { clock }));
    expect(deliveredTitles(ports)).toEqual(["On a", "On b", "On c"]);
    const waitedMs = ports.now.getTime() - startedMs;
    expect(waitedMs).toBeGreaterThan(0);
    expect(waitedMs).toBeLessThanOrEqual(60_000);
  });

  it("every stage requested twice → the same files", async () => {
    const ports = new MemoryPorts();
    harvested(ports, "run", ordinary);
    for (const stage of [
      "validate",
      "validate",
      "upload",
      "upload",
      "archive",
      "archive",
      "upload",
      "overdue",
      "overdue",
      "report",
      "report",
    ] as const) {
      await runStage(stage, { runId: "run" }, ports);
    }
    expect(deliveredTitles(ports)).toEqual(["On a", "On b", "On c"]);
    expect(ports.mails).toHaveLength(1);
  });

  it("a second run with the same articles on the same day → no file", async () => {
    const ports = new MemoryPorts();
    harvested(ports, "first", ordinary);
    harvested(ports, "second", ordinary);
    await deliver("first", ports);
    await deliver("second", ports);
    expect(ports.files.size).toBe(2);
    expect(ports.runsById.get("second")?.state).toBe("finished");
  });

  it("two runs that overlap, stage by stage → every record once, in numbered files", async () => {
    const ports = new MemoryPorts();
    harvested(ports, "first", ordinary.slice(0, 2));
    harvested(ports, "second", [...ordinary.slice(1), { id: "d", urls: ["https://journal.example/d"] }]);
    for (const stage of ["validate", "upload", "archive", "overdue", "report"] as const) {
      await Promise.all([
        runStage(stage, { runId: "first" }, ports),
        runStage(stage, { runId: "second" }, ports),
      ]);
    }
    expect(deliveredTitles(ports)).toEqual(["On a", "On b", "On c", "On d"]);
    expect([...ports.files.keys()].sort()).toEqual([
      "other/Other_zotero_261120_001.xml",
      "test/Test_zotero_261120_001.xml",
      "test/Test_zotero_261120_002.xml",
    ]);
  });

  it.each<[string, Article[], number]>([
    [
      "one article under two addresses with one DOI",
      [
        { id: "a", urls: ["https://x.example/1"], doi: "10.5555/X" },
        { id: "b", urls: ["https://y.example/2"], doi: "10.5555/x" },
      ],
      1,
    ],
    [
      "a ring in which each shares a key with the next",
      [
        { id: "a", urls: ["https://x.example/1", "https://x.example/2"] },
        { id: "b", urls: ["https://x.example/2", "https://x.example/3"] },
        { id: "c", urls: ["https://x.example/3", "https://x.example/1"] },
      ],
      1,
    ],
    [
      "http and https, with and without a slash at the end",
      [
        { id: "a", urls: ["http://x.example/1/"] },
        { id: "b", urls: ["https://x.example/1"] },
      ],
      1,
    ],
    [
      "one record that two addresses have led to",
      [
        { id: "a", urls: ["https://x.example/1"] },
        { id: "b", recordId: "a", title: "On a", urls: ["https://x.example/2"] },
      ],
      1,
    ],
    [
      "articles that share nothing",
      [
        { id: "a", urls: ["https://x.example/1"] },
        { id: "b", urls: ["https://x.example/2"] },
      ],
      2,
    ],
  ])("%s → as many records as there are articles", async (_what, articles, delivered) => {
    for (const order of [articles, articles.toReversed()]) {
      const ports = new MemoryPorts();
      harvested(ports, "run", order);
      await deliver("run", ports);
      expect(deliveredTitles(ports)).toHaveLength(delivered);
    }
  });
});
