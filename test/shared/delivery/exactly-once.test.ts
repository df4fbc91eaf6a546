import { describe, expect, it } from "vitest";
import { archiveRun } from "../../../shared/delivery/archive.ts";
import { findOverdue } from "../../../shared/delivery/overdue.ts";
import { sendReport } from "../../../shared/delivery/send-report.ts";
import type { Stage, StageRequest } from "../../../shared/delivery/stages.ts";
import { uploadRun } from "../../../shared/delivery/upload.ts";
import { validateRun } from "../../../shared/delivery/validate.ts";
import { archiveKeys } from "../../../shared/harvest/archive-keys.ts";
import type { ConvertedDocument } from "../../../shared/harvest/run.ts";
import type { MarcRecord } from "../../../shared/marc/record.ts";
import { Killed, MemoryPorts } from "../memory-ports.ts";

interface Article {
  id: string;
  title?: string;
  urls: string[];
  doi?: string;
  groupId?: string;
}

const ordinary: Article[] = [
  { id: "a", urls: ["https://journal.example/a"], doi: "10.5555/a" },
  { id: "b", urls: ["https://journal.example/b"] },
  { id: "c", urls: ["https://journal.example/c"], groupId: "Other" },
];

/** A record that passes validation, unless it has no title. */
function marc({ id, title = `On ${id}` }: Article): MarcRecord {
  return {
    leader: "00000nab a22004452  4500",
    control: [
      ["001", `Test#2026-11-20#${id}`],
      ["003", "XX-1"],
      ["007", "cr|||||"],
    ],
    fields: [
      ...(title === "" ? [] : [["245", "00", [["a", title]]] as MarcRecord["fields"][number]]),
      [
        "936",
        "uw",
        [
          ["d", "1"],
          ["e", "2"],
        ],
      ],
    ],
  };
}

/** A run that has been harvested. */
function harvested(ports: MemoryPorts, runId: string, articles: Article[]): void {
  for (const groupId of ["Test", "Other"]) ports.addGroup(groupId);
  ports.runsById.set(runId, {
    runId,
    deliveryMode: "LIVE",
    state: "harvesting",
    startedAt: ports.now.toISOString(),
    deadlineAt: ports.now.toISOString(),
  });
  for (const article of articles) {
    const recordKey = `${article.id}/${runId}`;
    ports.marcByKey.set(recordKey, marc(article));
    const document: ConvertedDocument = {
      state: "converted",
      requestId: article.id,
      sourceId: "source",
      url: article.urls[0] ?? "",
      title: article.title ?? `On ${article.id}`,
      recordId: article.id,
      groupId: article.groupId ?? "Test",
      hash: article.id,
      recordKey,
      archiveKeys: archiveKeys({ ...article, hash: article.id }, "LIVE"),
      warnings: [],
    };
    ports.documentOutcomes.set(`${runId} source ${article.id}`, document);
  }
}

const next: Record<Stage, Stage | undefined> = {
  validate: "upload",
  upload: "archive",
  archive: "overdue",
  overdue: "report",
  report: undefined,
};

/** Runs a stage as its function would; gives the stage that it asks for. */
async function runStage(stage: Stage, request: StageRequest, ports: MemoryPorts): Promise<Stage | undefined> {
  let asked: Stage | undefined;
  const queue = {
    send: async () => {
      asked = next[stage];
    },
  };
  const { clock, sources, status, runs, records, archive, deliveries, events, mailer } = ports;
  switch (stage) {
    case "validate":
      await validateRun(request, { runs, records, next: queue });
      break;
    case "upload":
      await uploadRun(request, {
        runs,
        records,
        archive,
        sources,
        deliveries,
        events,
        next: queue,
        clock,
        timeZone: "UTC",
      });
      break;
    case "archive":
      await archiveRun(request, { runs, records, archive, status, next: queue });
      break;
    case "overdue":
      await findOverdue(request, { runs, sources, status, next: queue, clock });
      break;
    case "report":
      await sendReport(request, {
        runs,
        sources,
        mailer,
        events,
        clock,
        recipients: ["a@b.example"],
        domain: "b.example",
        timeZone: "UTC",
      });
  }
  return asked;
}

/** Brings a run to its end, each stage as often as it dies, as a queue would. */
async function deliver(runId: string, ports: MemoryPorts): Promise<void> {
  let stage: Stage | undefined = "validate";
  while (stage !== undefined) {
    try {
      stage = await runStage(stage, { runId }, ports);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      ports.live();
      // Whatever happens next happens tomorrow.
      ports.now = new Date(ports.now.getTime() + 86_400_000);
    }
  }
}

/** The titles in all delivered files, each as often as it is there. */
function deliveredTitles(ports: MemoryPorts): string[] {
  const files = [...ports.files.values()].map((content) => new TextDecoder().decode(content));
  return files
    .flatMap((text) =>
      [...text.matchAll(/tag="245".*?<subfield code="a">(.*?)</gs)].map(([, title]) => title ?? ""),
    )
    .sort();
}

describe("a delivery", () => {
  it("undisturbed → a file per group with its records, all archived, one mail", async () => {
    const ports = new MemoryPorts();
    harvested(ports, "run", ordinary);
    await deliver("run", ports);
    expect([...ports.files.keys()].sort()).toEqual([
      "other/Other_zotero_261120_001.xml",
      "test/Test_zotero_261120_001.xml",
    ]);
    expect(deliveredTitles(ports)).toEqual(["On a", "On b", "On c"]);
    expect([...ports.archived.values()].every(({ state }) => state === "automatic")).toBe(true);
    expect(ports.runsById.get("run")?.state).toBe("finished");
    expect(ports.mails).toHaveLength(1);
  });

  it("killed at any write, before or after it is done → every record in exactly one file", async () => {
    let kills = 0;
    for (const before of [true, false]) {
      for (let writes = 0; ; writes += 1) {
        const ports = new MemoryPorts();
        harvested(ports, "run", ordinary);
        const startedAt = ports.now;
        ports.dieAfter(writes, { before });
        await deliver("run", ports);
        const died = ports.now !== startedAt;
        expect(deliveredTitles(ports), `killed ${before ? "before" : "after"} write ${writes}`).toEqual([
          "On a",
          "On b",
          "On c",
        ]);
        expect(ports.deliveriesByKey.size).toBe(2);
        expect(ports.runsById.get("run")?.state).toBe("finished");
        if (!died) break;
        kills += 1;
      }
    }
    expect(kills).toBeGreaterThan(40);
  });

  it("every stage asked for twice → the same files", async () => {
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

  it("a record without a title → refused with its reason, the others delivered", async () => {
    const ports = new MemoryPorts();
    harvested(ports, "run", [...ordinary, { id: "bad", title: "", urls: ["https://journal.example/bad"] }]);
    ports.sourceOutcomes.set("run source", {
      sourceId: "source",
      title: "A Source",
      state: "read",
      entries: 4,
      known: 0,
      requested: 4,
      dropped: [],
    });
    await deliver("run", ports);
    expect(deliveredTitles(ports)).toEqual(["On a", "On b", "On c"]);
    expect(ports.mails[0]?.text).toMatch(/Delinquent.*\n.*245/);
    expect(ports.mails[0]?.subject).toBe("Ingather 2026-11-20: 3 records delivered");
  });

  it("nothing valid → no file; overdue sources are still found", async () => {
    const ports = new MemoryPorts();
    harvested(ports, "run", []);
    await deliver("run", ports);
    expect(ports.files.size).toBe(0);
    expect(ports.results.has("run overdue")).toBe(true);
    expect(ports.mails).toHaveLength(1);
  });
});
