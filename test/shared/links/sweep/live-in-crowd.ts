import { expect } from "vitest";
import { CrowdedWorld } from "./crowded-world.ts";

/**
 * Lives in a crowded world. Each collection that was never held must be swept as often as the time of its host permits,
 * and about as often as the others of its host.
 */
export async function liveInCrowd(
  crowd: ConstructorParameters<typeof CrowdedWorld>[0],
): Promise<CrowdedWorld> {
  const world = new CrowdedWorld(crowd);
  await world.live();
  expect(world.sentInHold).toEqual([]);
  for (const [name, host] of world.hosts) {
    expect(host.longestQueue, `the queue of ${name}`).toBeLessThanOrEqual(world.tolerated(host));
    const turns = host.collections
      .filter((each) => !world.everHeld.has(each))
      .map((each) => world.swept.get(each) ?? 0);
    if (turns.length === 0) continue;
    const fewest = Math.min(...turns);
    expect(fewest, `the sweeps of each collection of ${name}`).toBeGreaterThanOrEqual(
      Math.floor(0.9 * world.permitted(host)) - 1,
    );
    expect(Math.max(...turns) - fewest, `the turns of ${name}`).toBeLessThanOrEqual(2);
  }
  return world;
}
