import { beforeEach, describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { judgedKey } from "../../../../shared/deliver/quality/drift.ts";
import type { Mail } from "../../../../shared/records/mail/mailer.ts";
import type { StageRequest } from "../../../../shared/records/runs/stages.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { type Article, deliver, fail, harvested, runStage } from "../run-world.ts";

const dayMs = 86_400_000;

function worldWithSource(): MemoryPorts {
  const ports = new MemoryPorts();
  const value = { sourceId: "source", title: "Lantern", type: "RSS", groupId: "Test", deliveryMode: "LIVE" };
  ports.sourcesById.set("source", source.parse({ ...value, url: "https://journal.example/feed" }));
  return ports;
}

let ports: MemoryPorts;
beforeEach(() => {
  ports = worldWithSource();
});

const runIdOf = (day: number) => `live-202611${String(day).padStart(2, "0")}T190000Z`;

/** The articles of a day, of which so many have an abstract. */
function articlesOf(day: number, { of, has }: { of: number; has: number }): Article[] {
  return Array.from({ length: of }, (_, at) => ({
    ...{ id: `d${day}n${at}`, urls: [`https://journal.example/${day}/${at}`] },
    ...(at < has && { abstract: `On the abstract ${day}.${at}` }),
  }));
}

/** Harvests a run of a day. Its stages are still to be done. */
function harvestDay(day: number, share: { of: number; has: number }, into = ports): string {
  into.now = new Date(Date.parse("2026-11-01T19:00:00Z") + (day - 1) * dayMs);
  const runId = runIdOf(day);
  harvested(into, runId, articlesOf(day, share));
  return runId;
}

async function deliverDay(day: number, share: { of: number; has: number }): Promise<Mail> {
  await deliver(harvestDay(day, share), ports);
  const mail = ports.mails.at(-1);
  if (mail === undefined) throw new Error("no mail was sent");
  return mail;
}

const publishedTypes = () =>
  ports.published.map(({ type }) => type).filter((type) => type.startsWith("source.quality"));
const today = async () => (await ports.quality.drifted(20)).map(({ title }) => title);
const url = "https://api.example/console/sources/source/quality";

describe("a week of a site that changes its pages", () => {
  it("→ told on the day, in the mail, on Today and as an event; once, until it has recovered", async () => {
    for (const day of [1, 2, 3]) {
      expect((await deliverDay(day, { of: 8, has: 8 })).text).not.toContain("QUALITY");
      expect(await today()).toEqual([]);
    }
    const { text, html } = await deliverDay(4, { of: 8, has: 1 });
    expect(text).toContain(
      `QUALITY\n  520 of Lantern: 1 of 8, was 24 of 24: its pages have changed\n    ${url}\n`,
    );
    expect(html).toContain(`<a href="${url}">520 of Lantern: 1 of 8, was 24 of 24`);
    expect([await today(), publishedTypes()]).toEqual([["Lantern"], ["source.quality-drifted"]]);
    expect(ports.published.findLast(({ type }) => type === "source.quality-drifted")?.detail).toEqual({
      ...{ sourceUri: "/sources/source", sourceId: "source", field: "abstract", place: "520" },
      ...{ since: "2026-11-04T19:00:00.000Z", at: "2026-11-04T19:00:00.000Z", runId: runIdOf(4) },
      ...{ now: { has: 1, of: 8 }, before: { has: 24, of: 24 } },
    });
    expect((await deliverDay(5, { of: 8, has: 0 })).text).not.toContain("QUALITY");
    expect(await today()).toEqual(["Lantern"]);
    expect((await deliverDay(6, { of: 8, has: 8 })).text).toContain(
      "  520 of Lantern: 8 of 8, was 1 of 8: recovered\n",
    );
    expect((await deliverDay(7, { of: 8, has: 8 })).text).not.toContain("QUALITY");
    expect(await today()).toEqual([]);
    expect(publishedTypes()).toEqual(["source.quality-drifted", "source.quality-recovered"]);
  });

  it("a source that was deleted before the report → no figures, no drift", async () => {
    for (const day of [1, 2, 3]) await deliverDay(day, { of: 8, has: 8 });
    ports.sourcesById.delete("source");
    await ports.quality.forget("source");
    expect((await deliverDay(4, { of: 8, has: 1 })).text).not.toContain("QUALITY");
    expect([ports.qualityByKey.size, ports.driftsById.size]).toEqual([0, 0]);
  });

  it("a source that was deleted and added again → begins anew", async () => {
    for (const day of [1, 2, 3]) await deliverDay(day, { of: 8, has: 8 });
    await ports.quality.forget("source");
    for (const day of [4, 5])
      expect((await deliverDay(day, { of: 8, has: 1 })).text).not.toContain("QUALITY");
  });

  it("records that are refused every day → counted once", async () => {
    for (const day of [1, 2, 3]) {
      const runId = harvestDay(day, { of: 2, has: 2 });
      const refused = { id: "refused", title: "", urls: ["https://journal.example/refused"] };
      harvested(ports, runId, [refused]);
      await deliver(runId, ports);
    }
    expect([...ports.qualityByKey.values()].map(({ records }) => records)).toEqual([3, 2, 2]);
  });
});

/** What is known about the source, apart from how often it was written. */
const stateOf = ({ qualityByKey, driftsById, published }: MemoryPorts) => ({
  figures: [...qualityByKey.values()].map((each) => JSON.parse(JSON.stringify(each))),
  drifts: driftsById.get("source")?.drifts,
  events: new Set(published.map(({ changeId }) => changeId).filter((id) => /drifted|recovered/.test(id))),
});

/** A world after three days, and the harvest of a fourth. */
async function beforeFourth(has = 1): Promise<{ ports: MemoryPorts; runId: string }> {
  ports = worldWithSource();
  for (const day of [1, 2, 3]) await deliverDay(day, { of: 8, has: 8 });
  return { ports, runId: harvestDay(4, { of: 8, has }, ports) };
}

describe("the figures of a run", () => {
  it("whose delivery fails → told in the mail about the failure", async () => {
    const world = await beforeFourth();
    await runStage("validate", { runId: world.runId }, world.ports);
    await fail("upload", world.ports, { runId: world.runId });
    expect(world.ports.mails.at(-1)?.subject).toContain("FAILED");
    expect(world.ports.mails.at(-1)?.text).toContain("520 of Lantern: 1 of 8, was 24 of 24");
  });

  it("killed before or after any write → as if never killed, and told in its mail", async () => {
    const undisturbed = await beforeFourth();
    await deliver(undisturbed.runId, undisturbed.ports);
    const expected = stateOf(undisturbed.ports);
    expect(expected.drifts).toHaveLength(1);
    for (let [writes, wasKilled] = [0, true]; wasKilled; writes += 1) {
      for (const before of [true, false]) {
        const world = await beforeFourth();
        const startedAt = world.ports.now;
        world.ports.dieAfter(writes, { before });
        await deliver(world.runId, world.ports);
        // What is killed continues on the next day.
        wasKilled = world.ports.now > startedAt;
        expect(stateOf(world.ports), `${writes} ${before}`).toEqual(expected);
        expect(world.ports.mails.at(-1)?.text).toContain("520 of Lantern: 1 of 8, was 24 of 24");
      }
    }
  });

  it("parts in any order and twice → as in one part", async () => {
    const whole = await beforeFourth();
    await deliver(whole.runId, whole.ports);
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = seededRandom(seed);
      const world = await beforeFourth();
      const pending: StageRequest[] = [{ runId: world.runId }];
      const partsQueue = { send: async (part: StageRequest) => void pending.push(part) };
      const division = { partSize: 1 + (seed % 4), maxInline: 0 };
      const divided = Object.assign(Object.create(world.ports), { partsQueue, division });
      while (pending.length > 0) {
        const at = Math.floor(random() * pending.length);
        const [request] = random() < 0.8 ? pending.splice(at, 1) : pending.slice(at, at + 1);
        if (request !== undefined) await runStage("validate", request, divided);
      }
      await deliver(world.runId, world.ports);
      expect(stateOf(world.ports), String(seed)).toEqual(stateOf(whole.ports));
    }
  });

  it("two functions at once on the same report → counted and told once", async () => {
    const world = await beforeFourth();
    for (const stage of ["validate", "upload", "archive", "overdue"] as const)
      await runStage(stage, { runId: world.runId }, world.ports);
    await Promise.all([1, 2, 3].map(() => runStage("report", { runId: world.runId }, world.ports)));
    const { drifts, events, figures } = stateOf(world.ports);
    expect([drifts?.length, events.size, figures.length]).toEqual([1, 1, 4]);
    expect(world.ports.driftsById.get("source")?.judged).toBe(
      judgedKey({ startedAt: "2026-11-04T19:00:00.000Z", runId: world.runId }),
    );
  });
});
