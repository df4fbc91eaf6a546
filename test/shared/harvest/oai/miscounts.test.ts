import { describe, expect, it } from "vitest";
import type { OaiHarvestState } from "../../../../shared/harvest/oai-state/harvest-state.ts";
import { errorPage, getRecord, listPage, record } from "../../../local/cli/harvest/scripted-repository.ts";
import { identify, OaiWorld, sourceId } from "./oai-world.ts";

/** A repository that says how many records it has, and gives these. */
function saying(announced: number, ids: readonly string[]) {
  return ({ verb, identifier, from }: Readonly<Record<string, string>>) => {
    if (verb === "Identify") return identify({ deletedRecord: "no" });
    if (verb === "GetRecord") return getRecord(ids, identifier);
    if (from !== undefined) return errorPage("noRecordsMatch");
    return listPage(
      ids.map((id) => record(id)),
      "",
      `completeListSize="${announced}"`,
    );
  };
}

const ids = Array.from({ length: 79 }, (_, n) => `r${n}`);
const day = (n: number) => new Date(Date.UTC(2027, 0, n, 20)).toISOString();

async function harvests(world: OaiWorld, count: number, from: number): Promise<(string | undefined)[]> {
  const seen: (string | undefined)[] = [];
  for (let n = 0; n < count; n += 1) {
    await world.harvest(day(from + n));
    seen.push(stateOf(world)?.last?.completeness.type);
  }
  return seen;
}

const stateOf = (world: OaiWorld): OaiHarvestState | undefined => world.ports.oaiHarvestStates.get(sourceId);

describe("a repository that says 83 and gives 79", () => {
  it("→ short twice, then complete: the window moves, and new records still come", async () => {
    const world = new OaiWorld(saying(83, ids));
    expect(await harvests(world, 3, 1)).toEqual(["short", "short", "complete"]);
    expect(stateOf(world)).toMatchObject({
      lastFullAt: day(3),
      miscounts: { full: { announced: 83, read: 79, times: 3 } },
    });
    await world.harvest(day(4));
    expect(world.lists.at(-1)).toContain("from=");
    world.script = saying(84, [...ids, "new"]);
    await world.harvest(day(40));
    expect(stateOf(world)?.last?.completeness.type).toBe("complete");
    expect(world.events.at(-1)).toBe("document.new new");
  });

  it("and lacks a record later → deleted by the repository's word alone", async () => {
    const world = new OaiWorld(saying(83, ids));
    await harvests(world, 3, 1);
    const script = saying(82, ids.slice(1));
    world.script = (args) => (args.verb === "GetRecord" ? getRecord(ids, args.identifier) : script(args));
    await world.harvest(day(40));
    expect([world.asked.slice(1), world.documents("deleted")]).toEqual([["r0"], ""]);
    world.script = script;
    await world.harvest(day(80));
    expect(world.documents("deleted")).toBe("r0");
  });

  it("once gives what it says → the count begins anew", async () => {
    const world = new OaiWorld(saying(83, ids));
    await harvests(world, 2, 1);
    world.script = saying(79, ids);
    await world.harvest(day(3));
    expect(stateOf(world)).not.toHaveProperty("miscounts");
  });
});

it("a list that lacks more records each time → short", async () => {
  const world = new OaiWorld(saying(83, ids));
  const seen: unknown[] = [];
  for (let n = 0; n < 5; n += 1) {
    world.script = saying(83, ids.slice(n));
    seen.push(...(await harvests(world, 1, 1 + n)));
  }
  expect(seen).toEqual(Array(5).fill("short"));
});

it("a list that is always cut to less than half of what it says → short, however often", async () => {
  const world = new OaiWorld(saying(250, ids));
  expect(await harvests(world, 6, 1)).toEqual(Array(6).fill("short"));
  expect(world.documents("deleted")).toBe("");
});
