import { beforeEach, describe, expect, it } from "vitest";
import { resumeRun, resumeRuns } from "../../../../shared/deliver/pipeline/resume.ts";
import { type Stage, type StageRequest, stages } from "../../../../shared/records/runs/stages.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { Killed } from "../../memory/writes.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { deliver, deliveredTitles, fail, harvested, ordinary, runStage } from "../run-world.ts";

let ports: MemoryPorts;
let asked: string[];
beforeEach(() => {
  ports = new MemoryPorts();
  asked = [];
});

const stageQueues = Object.fromEntries(
  stages.map((stage) => [
    stage,
    { send: async ({ runId }: { runId: string }) => void asked.push(`${stage} ${runId}`) },
  ]),
) as Record<Stage, { send(message: { runId: string }): Promise<void> }>;
const resume = () => resumeRuns("LIVE", { runs: ports.runs, stageQueues, clock: ports.clock });

describe("the next start", () => {
  it.each(stages)(
    "a run that failed at %s → that stage is requested, and the run finishes",
    async (failing) => {
      harvested(ports, "run", ordinary);
      for (const stage of stages.slice(0, stages.indexOf(failing))) {
        await runStage(stage, { runId: "run" }, ports);
      }
      await fail(failing, ports);
      await resume();
      expect(asked).toEqual([`${failing} run`]);
      expect(ports.runsById.get("run")?.state).toBe("delivering");
      for (const stage of stages.slice(stages.indexOf(failing))) {
        await runStage(stage, { runId: "run" }, ports);
      }
      expect(ports.runsById.get("run")).toMatchObject({ state: "finished" });
      expect(deliveredTitles(ports)).toEqual(["On a", "On b", "On c"]);
    },
  );

  it("a run whose message is lost, its deadline past → the first stage without a result is requested", async () => {
    harvested(ports, "run", ordinary);
    await runStage("validate", { runId: "run" }, ports);
    ports.now = new Date(ports.now.getTime() + 86_400_000);
    await resume();
    expect(asked).toEqual(["upload run"]);
  });

  it("a preview that was killed → its validation is requested, and no delivery", async () => {
    harvested(ports, "preview", ordinary, { mode: "NONE" });
    ports.results.set("preview validate", "{}");
    await resumeRuns("NONE", { runs: ports.runs, stageQueues, clock: ports.clock });
    expect(asked).toEqual(["validate preview"]);
  });

  it("a run in progress, a finished run, a run of the other mode → no request", async () => {
    harvested(ports, "done", ordinary);
    await deliver("done", ports);
    harvested(ports, "test", ordinary, { mode: "TEST" });
    ports.runsById.set("now", {
      runId: "now",
      deliveryMode: "LIVE",
      state: "harvesting",
      startedAt: ports.now.toISOString(),
      deadlineAt: new Date(ports.now.getTime() + 3_600_000).toISOString(),
    });
    await resume();
    expect(asked).toEqual([]);
  });

  it("killed at any write, its message lost → the starts of the next days finish it", async () => {
    for (const before of [true, false]) {
      for (let writes = 0; ; writes += 3) {
        ports = new MemoryPorts();
        harvested(ports, "run", ordinary);
        ports.dieAfter(writes, { before });
        let stage: Stage | undefined = "validate";
        let died = false;
        while (stage !== undefined) {
          try {
            stage = await runStage(stage, { runId: "run" }, ports);
          } catch (error) {
            if (!(error instanceof Killed)) throw error;
            died = true;
            ports.live();
            ports.now = new Date(ports.now.getTime() + 86_400_000);
            asked = [];
            await resume();
            stage = asked[0]?.split(" ")[0] as Stage | undefined;
          }
        }
        expect(ports.runsById.get("run")?.state, `killed at write ${writes}`).toBe("finished");
        expect(deliveredTitles(ports)).toEqual(["On a", "On b", "On c"]);
        if (!died) break;
      }
    }
  });
});

describe("the report of a failure", () => {
  it.each(["validate", "upload", "archive", "overdue"] as const)(
    "read when %s is in progress again → reports the failure; the run continues to its end",
    async (failing) => {
      harvested(ports, "run", ordinary);
      for (const stage of stages.slice(0, stages.indexOf(failing))) {
        await runStage(stage, { runId: "run" }, ports);
      }
      const read = async (report: StageRequest) => {
        await resumeRun({ runId: "run", stage: failing }, ports);
        await runStage("report", report, ports);
      };
      await fail(failing, ports, { read });
      expect(ports.runsById.get("run")?.state).toBe("delivering");
      for (const stage of stages.slice(stages.indexOf(failing))) {
        await runStage(stage, { runId: "run" }, ports);
      }
      expect(ports.runsById.get("run")?.state).toBe("finished");
      expect(deliveredTitles(ports)).toEqual(["On a", "On b", "On c"]);
      expect(ports.mails.map(({ subject }) => subject)).toEqual([
        `Ingather 2026-11-20: delivery FAILED at ${failing}`,
        "Ingather 2026-11-20: 0 records delivered",
      ]);
    },
  );

  it("requested before the run has ended → no mail, the run continues", async () => {
    harvested(ports, "run", ordinary);
    await runStage("validate", { runId: "run" }, ports);
    await runStage("report", { runId: "run" }, ports);
    expect(ports.mails).toEqual([]);
    expect(ports.runsById.get("run")?.state).toBe("delivering");
  });

  it("received twice → one mail; the next failure at the same stage → another", async () => {
    harvested(ports, "run", ordinary);
    const twice = async (report: StageRequest) => {
      await runStage("report", report, ports);
      await runStage("report", report, ports);
    };
    await fail("upload", ports, { read: twice });
    expect(ports.mails).toHaveLength(1);
    ports.now = new Date(ports.now.getTime() + 86_400_000);
    await fail("upload", ports, { read: twice });
    expect(ports.mails).toHaveLength(2);
  });

  it("a reason with a password in a URL → the password is neither stored nor mailed", async () => {
    harvested(ports, "run", ordinary);
    await fail("upload", ports, { reason: "https://reader:secret@journal.example/ gives no answer" });
    expect(ports.runsById.get("run")?.failure?.reason).toBe("https://journal.example/ gives no answer");
    expect(ports.mails[0]?.text).toContain("https://journal.example/ gives no answer");
  });

  it.each([
    ["LIVE", /OVERDUE\n {2}Late: never delivered/],
    ["TEST", /OVERDUE\n {2}None\./],
  ] as const)(
    "of a %s run that stopped before the overdue check → reports what is overdue",
    async (mode, told) => {
      const late = {
        sourceId: "late",
        title: "Late",
        type: "RSS",
        url: "https://s.example/",
        groupId: "Test",
      };
      const added = { deliveryMode: "LIVE", addedAt: "2020-01-01" };
      ports.sourcesById.set("late", source.parse({ ...late, ...added }));
      harvested(ports, "run", ordinary, { mode });
      await runStage("validate", { runId: "run" }, ports);
      await fail("upload", ports);
      expect(ports.mails[0]?.text).toMatch(told);
      expect(ports.mails[0]?.subject).toContain("FAILED at upload");
    },
  );

  it("of a preview → no mail", async () => {
    harvested(ports, "run", ordinary, { mode: "NONE" });
    await fail("validate", ports);
    expect(ports.mails).toEqual([]);
  });
});

describe("the recipients of a report", () => {
  const feed = { type: "RSS", url: "https://s.example/", deliveryMode: "LIVE" } as const;
  const outcome = { title: "S", state: "read", entries: 0, known: {}, requested: 0, dropped: [] } as const;

  it("an unusable source or group among the others → the recipients of the others get the mail", async () => {
    harvested(ports, "run", ordinary.slice(0, 2), { group: { recipients: ["group@b.example"] } });
    ports.sourcesById.set(
      "good",
      source.parse({ ...feed, sourceId: "good", title: "Good", groupId: "Test" }),
    );
    ports.unusable.push({ sourceId: "bad", title: "Bad", problem: "url: is missing" });
    ports.unusableGroups.push({ groupId: "Other", problem: "isil: is missing" });
    for (const sourceId of ["good", "bad"]) {
      ports.listings.set(`run ${sourceId}`, { ...outcome, dropped: [], sourceId });
    }
    await deliver("run", ports);
    expect(ports.mails.map(({ to }) => to)).toEqual([["a@b.example", "group@b.example"]]);
  });
});
