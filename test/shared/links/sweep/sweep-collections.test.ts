import { describe, expect, it } from "vitest";
import { sweepCollections } from "../../../../shared/links/sweep/sweep-collections.ts";
import { hostKey } from "../../../../shared/web/address/host-key.ts";
import type { NewRequest } from "../../../../shared/web/request/request.ts";
import { GateWorld } from "../../web/gate-world.ts";
import { LinkWorld } from "../link-world.ts";

const collections = 1000;
const hosts = 300;

describe(`a sweep of ${collections} collections on ${hosts} hosts`, () => {
  it("at most 4 300 requests, robots.txt included, and 10 reads per collection, the gate and the judge included", async () => {
    const world = new LinkWorld();
    for (let number = 0; number < collections; number += 1) {
      world.addCollection({ collectionId: `c-${number}`, title: `C ${number}` }, 0);
      for (let record = 1; record <= 10; record += 1) {
        const landingUrl = `https://host-${number % hosts}.example/${number}/${record}`;
        world.addRecord(`c-${number}`, record, { landingUrl });
      }
    }
    const requests: NewRequest[] = [];
    const send = async (more: NewRequest[]) => void requests.push(...more);
    const summary = await sweepCollections(world.now, { ...world.ports, requests: { send } });
    expect(summary).toEqual({
      network: "up",
      swept: 1000,
      waiting: 0,
      lost: 0,
      requests: 4000,
      unusable: [],
    });

    const gate = new GateWorld({});
    const lines = Map.groupBy(requests, ({ url }) => hostKey(new URL(url)));
    for (const line of lines.values()) await gate.serveToTheEnd(line);
    expect(lines.size).toBe(hosts);
    expect(gate.responses).toHaveLength(4000);
    expect(gate.sent.length).toBeLessThanOrEqual(4300);

    for (const request of requests) await world.deliver(request);
    expect([...world.checks.values()].every(({ verdict }) => verdict === "alive")).toBe(true);
    expect(world.reads / collections).toBeLessThanOrEqual(10.1);
  });
});

it("a collection that always fails → the others are swept, and the failure names it", async () => {
  const world = new LinkWorld();
  for (const id of ["a", "b", "c"]) {
    world.addCollection({ collectionId: id, title: id }, 0);
    world.addRecord(id, 1, { landingUrl: `https://${id}.example/1` });
  }
  const { records } = world.ports;
  const oldest: typeof records.oldest = async (id, ...more) => {
    if (id === "b") throw new Error("bad record");
    return records.oldest(id, ...more);
  };
  const requests: NewRequest[] = [];
  const send = async (more: NewRequest[]) => void requests.push(...more);
  const ports = { ...world.ports, records: { ...records, oldest }, requests: { send } };
  await expect(sweepCollections(world.now, ports)).rejects.toThrow("these collections could not be swept: b");
  expect(new Set(requests.map(({ url }) => url))).toEqual(
    new Set(["https://a.example/1", "https://c.example/1"]),
  );
});
