import { expect, it } from "vitest";
import type { Reconversion } from "../../../shared/records/reconversions/reconversion.ts";
import { type StoreTest, time } from "./world.ts";

/** What the store of reconversions promises. */
export function reconversionCases(world: StoreTest): void {
  const reconversion = (reconversionId: string): Reconversion => ({
    reconversionId,
    state: "converting",
    by: "anna",
    requestedAt: time(1),
    deliveryMode: "LIVE",
    selection: { type: "source", sourceId: world.id, from: "2026-11-01" },
    asksAgencies: false,
  });

  it("a reconversion → created once, and changed only from the named states, without its earlier failure", async () => {
    const { reconversions } = world.stores;
    const id = `2${world.id}`;
    await reconversions.create(reconversion(id));
    expect(await reconversions.change(id, ["tried"], { state: "delivering" })).toBe(false);
    const failure = { reason: "no", at: time(2) };
    expect(await reconversions.change(id, ["converting"], { failure })).toBe(true);
    expect(await reconversions.get(id)).toEqual({ ...reconversion(id), failure });
    await reconversions.create(reconversion(id));
    expect(
      await reconversions.change(id, ["converting", "tried"], { state: "tried", counts: { same: 1 } }),
    ).toBe(true);
    expect(await reconversions.get(id)).toEqual({ ...reconversion(id), state: "tried", counts: { same: 1 } });
    expect(await reconversions.get(`${id}x`)).toBeUndefined();
  });

  it("several → newest first, and continued after the end of a page", async () => {
    const { reconversions } = world.stores;
    const ids = [1, 3, 2].map((number) => `9${world.id}-${number}`);
    for (const id of ids) await reconversions.create(reconversion(id));
    const page = await reconversions.list({ limit: 2 });
    expect(page.map(({ reconversionId }) => reconversionId)).toEqual([ids[1], ids[2]]);
    const rest = await reconversions.list({ limit: 1, after: ids[2] });
    expect(rest).toEqual([reconversion(ids[0] ?? "")]);
  });
}
