import { expect } from "vitest";
import { itemStateOf } from "../../../shared/give-back/log/item-state.ts";
import { Killed } from "../memory/writes.ts";
import { GivenWorld, harvest } from "./world.ts";

/** A sequence of numbers from 0 to 1 that is the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** A harvester of one list: what it has, as identifiers with titles, and where its next list begins. */
interface Harvester {
  list: string;
  records: Map<string, string>;
  from?: string;
}

const lists = ["", "&set=source.s1", "&set=search", "&set=state.delivered", "&set=collection.c2"];

/** What a harvester of a list must have in the end: the records of the set that are available as MARCXML. */
function expected({ stored, hidden }: GivenWorld, list: string): Map<string, string> {
  const set = list.replace("&set=", "");
  return new Map(
    [...stored].flatMap(([itemId, item]) => {
      const state = itemStateOf(itemId, item, hidden);
      const isIn = state !== undefined && !state.isDeleted && (set === "" || state.sets.includes(set));
      return isIn && item.record ? [[`oai:library.example:${itemId}`, item.record.hash]] : [];
    }),
  );
}

/** Reads a list and merges it into what a harvester has. */
async function update(world: GivenWorld, harvester: Harvester, between: () => Promise<void>): Promise<void> {
  const { list, records: known, from } = harvester;
  const { expirations } = world.log;
  const period = from === undefined ? "" : `&from=${from}`;
  const query = `verb=ListRecords&metadataPrefix=marcxml${list}${period}`;
  const { pages, records } = await harvest(world, query, between);
  for (const { identifier, isDeleted, metadata = "" } of records) {
    if (isDeleted) known.delete(identifier);
    else known.set(identifier, /tag="245"[\s\S]*?code="a">([^<]*)</.exec(metadata)?.[1] ?? "");
  }
  const size = pages[0]?.resumptionToken?.completeListSize;
  const names = records.map(({ identifier }) => identifier);
  if (expirations === world.log.expirations) {
    expect(names.length).toBe(new Set(names).size);
    if (size !== undefined) expect(names.length).toBe(size);
  }
  harvester.from = pages[0]?.responseDate ?? "";
}

/**
 * Lets writers change records, documents and collections while harvesters read, and kills the writer of the log at
 * random writes. In the end, each harvester has what is there.
 */
export async function runModel(
  seed: number,
  size: { items: number; rounds: number; changes: number; atFirst: number },
): Promise<void> {
  const random = randomFrom(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const world = new GivenWorld();
  let changes = 0;
  const change = () => {
    const itemId = `i${Math.floor(random() * size.items)}`;
    changes += 1;
    const kind = random();
    if (kind < 2 / size.changes) {
      const collection = pick(["c1", "c2"]);
      if (!world.hidden.delete(collection)) world.hidden.add(collection);
    } else if (kind < 0.2) {
      const isDeleted = world.stored.get(itemId)?.document?.state !== "deleted";
      world.putDocument(itemId, isDeleted ? undefined : `<a xmlns="urn:a">${changes}</a>`, "s1");
    } else {
      world.putRecord(itemId, `t${changes}`, {
        sourceId: "s1",
        collectionId: pick(["c1", "c2"]),
        state: pick(["harvested", "delivered", "delinquent"]),
        deliveryMode: pick(["LIVE", "LIVE", "LIVE", "TEST"]),
        link: { status: pick(["active", "active", "suppressed", "deleted"]) },
      });
    }
  };
  const work = async () => {
    for (let count = Math.floor(random() * size.changes); count > 0; count -= 1) change();
    world.now = new Date(world.now.getTime() + Math.floor(random() * 3_000));
    let left = random() < 0.5 ? Math.floor(random() * size.changes * 7) : Number.POSITIVE_INFINITY;
    world.log.beforeWrite = () => {
      left -= 1;
      if (left < 0) throw new Killed();
    };
    let isKilled = false;
    try {
      await world.logAll();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      isKilled = true;
    }
    world.log.beforeWrite = () => undefined;
    // What is replaced expires days later, when a killed writer has long been followed by another.
    if (!isKilled && random() < 0.1) world.log.expire();
  };
  for (let count = size.atFirst; count > 0; count -= 1) change();
  const harvesters = lists.map((list): Harvester => ({ list, records: new Map() }));
  for (let round = 0; round < size.rounds; round += 1) {
    await work();
    for (const harvester of harvesters) await update(world, harvester, work);
  }
  world.now = new Date(world.now.getTime() + 5_000);
  await world.logAll();
  for (const harvester of harvesters) {
    await update(world, harvester, async () => undefined);
    const harvested = [...harvester.records].sort();
    expect([harvester.list, harvested]).toEqual([
      harvester.list,
      [...expected(world, harvester.list)].sort(),
    ]);
  }
}
