import { describe, expect, it } from "vitest";
import { RemoteError } from "../../../../shared/core/errors.ts";
import { resumeRun } from "../../../../shared/deliver/pipeline/resume.ts";
import { validationRules } from "../../../../shared/deliver/validation/rule.ts";
import { stages } from "../../../../shared/records/runs/stages.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { sourceOutcome } from "../../records/runs/source-outcome.ts";
import {
  deliver,
  deliveredTitles,
  fail,
  harvested,
  ordinary,
  runStage,
  sftpDestination,
  titlesIn,
} from "../run-world.ts";

describe("a delivery", () => {
  it("without failures → a file per group with its records, all archived, one mail", async () => {
    const ports = new MemoryPorts();
    harvested(ports, "run", ordinary);
    await deliver("run", ports);
    expect([...ports.files.keys()].sort()).toEqual([
      "other/Other_zotero_261120_001.xml",
      "test/Test_zotero_261120_001.xml",
    ]);
    expect(deliveredTitles(ports)).toEqual(["On a", "On b", "On c"]);
    for (const id of ["a", "b", "c"]) {
      expect(ports.archived.get(`record:${id}`)?.state).toBe("automatic");
    }
    expect(ports.runsById.get("run")?.state).toBe("finished");
    expect(ports.mails).toHaveLength(1);
  });

  it("a record without a title → refused with its reason, the others delivered", async () => {
    const ports = new MemoryPorts();
    harvested(ports, "run", [...ordinary, { id: "bad", title: "", urls: ["https://journal.example/bad"] }]);
    ports.listings.set(
      "run source",
      sourceOutcome({ sourceId: "source", title: "A Source", entries: 4, requested: 4 }),
    );
    await deliver("run", ports);
    expect(deliveredTitles(ports)).toEqual(["On a", "On b", "On c"]);
    expect(ports.mails[0]?.text).toMatch(/Refused by validation:\n.*245/);
    expect(ports.mails[0]?.subject).toBe("Ingather 2026-11-20: 3 records delivered, 1 refused");
  });

  it("without volume and issue, or refused → files of their own, with the reasons beside; not delivered", async () => {
    const ports = new MemoryPorts();
    harvested(ports, "run", [
      ...ordinary,
      { id: "bad", title: "", urls: ["https://journal.example/bad"] },
      { id: "early", urls: ["https://journal.example/early"], isOnlineFirst: true },
    ]);
    await deliver("run", ports);
    expect([...ports.files.keys()].sort()).toEqual([
      "other/Other_zotero_261120_001.xml",
      "test/Test_zotero_261120_001.xml",
      "test/Test_zotero_261120_001_errors.xml",
      "test/Test_zotero_261120_001_errors.xml.log",
      "test/Test_zotero_261120_001_online_first.xml",
    ]);
    expect(titlesIn(ports.files.get("test/Test_zotero_261120_001_online_first.xml"))).toEqual(["On early"]);
    const log = new TextDecoder().decode(ports.files.get("test/Test_zotero_261120_001_errors.xml.log"));
    expect(log).toMatch(/^bad .*<https:\/\/journal\.example\/bad>: .*245/);
    expect([...ports.deliveriesByKey.keys()]).toHaveLength(2);
  });

  it("refused for a value with line breaks → one line per record, in the log and in the mail", async () => {
    const ports = new MemoryPorts();
    const [rule] = validationRules.parse([
      { tag: "245", subfield: "a", presence: "always", regex: "^[A-Z]" },
    ]);
    if (rule !== undefined) await ports.rules.put(rule);
    harvested(ports, "run", [
      { id: "a", title: "in\nparts\r\nFILES", urls: ["https://journal.example/a"] },
      { id: "b", title: "in one", urls: ["https://journal.example/b"] },
    ]);
    ports.listings.set("run source", {
      ...{ sourceId: "source", title: "S", state: "read", entries: 2, known: {}, requested: 2, dropped: [] },
    });
    await deliver("run", ports);
    const log = new TextDecoder().decode(ports.files.get("test/Test_zotero_261120_001_errors.xml.log"));
    expect(log.match(/^[ab] in .*contents of subfield \$a\(in .*$/gm)).toHaveLength(2);
    expect(log.trimEnd().split("\n")).toHaveLength(2);
    expect(ports.mails[0]?.text).toMatch(/contents of subfield \$a\(in parts FILES\)/);
  });

  it("more records than a file may hold → numbered files, the last one smaller", async () => {
    const ports = new MemoryPorts();
    const many = Array.from({ length: 25 }, (_, at) => ({ id: `r${at}`, urls: [`https://j.example/${at}`] }));
    harvested(ports, "run", many, { group: { recordsPerFile: 10 } });
    await deliver("run", ports);
    expect([...ports.files.values()].map((content) => titlesIn(content).length)).toEqual([10, 10, 5]);
    expect(new Set(deliveredTitles(ports)).size).toBe(25);
  });

  it("a group with many files, another with one → that one is delivered first", async () => {
    const ports = new MemoryPorts();
    const many = Array.from({ length: 25 }, (_, at) => ({ id: `r${at}`, urls: [`https://j.example/${at}`] }));
    const other = { id: "small", urls: ["https://j.example/small"], groupId: "Other" };
    harvested(ports, "run", [...many, other], { group: { recordsPerFile: 10 } });
    await deliver("run", ports);
    expect([...ports.files.values()].map((content) => titlesIn(content).length)).toEqual([1, 10, 10, 5]);
  });

  it("stopped between upload and archive → the mail lists the delivered files", async () => {
    const ports = new MemoryPorts();
    harvested(ports, "run", ordinary);
    await runStage("validate", { runId: "run" }, ports);
    await runStage("upload", { runId: "run" }, ports);
    await fail("archive", ports);
    expect(ports.mails[0]?.subject).toBe("Ingather 2026-11-20: delivery FAILED at archive");
    expect(ports.mails[0]?.text).toContain("https://files.example/test/Test_zotero_261120_001.xml");
    expect(ports.published.at(-1)?.type).toBe("run.failed");
  });

  it.each<[string, (ports: MemoryPorts) => unknown, (ports: MemoryPorts) => void, string]>([
    [
      "a dead receiver",
      (ports) => void ports.deadReceivers.set("Test", "sftp://receiver.example:22: no login"),
      (ports) => ports.deadReceivers.clear(),
      "sftp://receiver.example:22: no login",
    ],
    [
      "an unusable group",
      (ports) => void ports.unusableGroups.push({ groupId: "Test", problem: "isil: is missing" }),
      (ports) => void ports.unusableGroups.pop(),
      "group Test: isil: is missing",
    ],
    [
      "a group that an import has removed",
      (ports) => void ports.groups.delete("Test"),
      (ports) => ports.addGroup("Test", { destination: sftpDestination }),
      "group Test: it is no longer configured: import it again, and its files are sent",
    ],
    [
      "a group that was removed after its file was planned",
      async (ports) => {
        ports.deadReceivers.set("Test", "no login");
        await expect(runStage("upload", { runId: "run" }, ports)).rejects.toThrow("no login");
        ports.groups.delete("Test");
      },
      (ports) => {
        ports.deadReceivers.clear();
        ports.addGroup("Test", { destination: sftpDestination });
      },
      "group Test: it is no longer configured: import it again, and its files are sent",
    ],
  ])(
    "%s → the other groups' files are delivered, archived and reported; its own follow, once",
    async (_what, breakIt, mendIt, reason) => {
      const ports = new MemoryPorts();
      harvested(ports, "run", ordinary, { group: { destination: sftpDestination } });
      await runStage("validate", { runId: "run" }, ports);
      await breakIt(ports);
      for (const _try of [1, 2, 3]) {
        await expect(runStage("upload", { runId: "run" }, ports)).rejects.toThrow(new RemoteError(reason));
        expect(await runStage("archive", { runId: "run" }, ports)).toBeUndefined();
      }
      await fail("upload", ports, { reason });
      expect(ports.received.map(([path]) => path)).toEqual(["Default/input/Other_zotero_261120_001.xml"]);
      expect(ports.archived.get("record:c")?.state).toBe("automatic");
      expect(ports.archived.get("record:a")?.state).toBe("claimed");
      expect(ports.statuses.get("source")?.lastDeliveredAt).toBe("2026-11-20T19:00:00.000Z");
      for (const said of ["Other_zotero_261120_001.xml", reason])
        expect(ports.mails[0]?.text).toContain(said);
      expect(ports.mails[0]?.text).toContain("Test_zotero_261120_001.xml: 2 records, not delivered yet");

      mendIt(ports);
      await resumeRun({ runId: "run", stage: "upload" }, ports);
      for (const stage of stages.slice(1)) await runStage(stage, { runId: "run" }, ports);
      expect(ports.received.map(([path, content]) => [path, titlesIn(content)])).toEqual([
        ["Default/input/Other_zotero_261120_001.xml", ["On c"]],
        ["Default/input/Test_zotero_261120_001.xml", ["On a", "On b"]],
      ]);
      expect(ports.archived.get("record:a")?.state).toBe("automatic");
      expect(ports.runsById.get("run")?.state).toBe("finished");
    },
  );

  it("a missing group that returns with another folder, killed at any write → its files are there alone, once", async () => {
    for (const before of [true, false]) {
      for (let writes = 0; ; writes += 1) {
        const ports = new MemoryPorts();
        harvested(ports, "run", [
          ...ordinary,
          { id: "bad", title: "", urls: ["https://journal.example/bad"] },
          { id: "early", urls: ["https://journal.example/early"], isOnlineFirst: true },
        ]);
        await runStage("validate", { runId: "run" }, ports);
        ports.groups.delete("Test");
        await expect(runStage("upload", { runId: "run" }, ports)).rejects.toThrow("group Test");
        await runStage("archive", { runId: "run" }, ports);
        expect([...ports.files.keys()]).toEqual(["other/Other_zotero_261120_001.xml"]);
        ports.addGroup("Test", { outputFolder: "back" });
        const startedAt = ports.now;
        ports.dieAfter(writes, { before });
        await deliver("run", ports);
        const died = ports.now !== startedAt;
        expect([...ports.files.keys()].sort(), `killed at write ${writes}`).toEqual([
          "back/Test_zotero_261120_001.xml",
          "back/Test_zotero_261120_001_errors.xml",
          "back/Test_zotero_261120_001_errors.xml.log",
          "back/Test_zotero_261120_001_online_first.xml",
          "other/Other_zotero_261120_001.xml",
        ]);
        expect(deliveredTitles(ports)).toEqual(["On a", "On b", "On c"]);
        expect(ports.deliveriesByKey.size).toBe(2);
        if (!died) break;
      }
    }
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
