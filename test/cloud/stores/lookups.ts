import { describe, expect, it } from "vitest";
import type { Authority } from "../../../shared/harvest/convert/authorities.ts";
import { outboundRequest } from "../../../shared/web/request/request.ts";
import type { InboundResponse } from "../../../shared/web/request/response.ts";
import type { StoreTest } from "./world.ts";

/** What the stores of the authority file promise. */
export function lookupCases(world: StoreTest): void {
  describe("the authority file", () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

    const identified = (number: string): Authority => ({ type: "identified", number });

    it("an answer → cached until its time, and not replaced before", async () => {
      const { lookups } = world.stores;
      await lookups.store(world.id, identified("118629743"), inHours(1));
      await lookups.store(world.id, { type: "unknown" }, inHours(2));
      expect(await lookups.cached([world.id, `${world.id}-none`])).toEqual(
        new Map([[world.id, identified("118629743")]]),
      );
    });

    it("an answer whose time is over → left out, and replaced", async () => {
      const { lookups } = world.stores;
      await lookups.store(world.id, identified("118629743"), inHours(-1));
      expect(await lookups.cached([world.id])).toEqual(new Map());
      await lookups.store(world.id, identified("118514768"), inHours(1));
      expect(await lookups.cached([world.id])).toEqual(new Map([[world.id, identified("118514768")]]));
    });

    it("an article that waits for names one after the other → one entry, with all names; of its run", async () => {
      const { waiting } = world.stores;
      const response: InboundResponse = {
        request: outboundRequest.parse({ id: "a", kind: "article", url: "https://j.example/a" }),
        outcome: { type: "refused", reason: "robots", detail: "", hops: [] },
      };
      const waitingFor = async (runId: string, name: string) =>
        (await waiting.waitingFor(runId, name)).map((one) => ({
          ...one,
          lookupIds: one.lookupIds.toSorted(),
        }));
      await waiting.add(world.id, response, ["one", "both"]);
      await waiting.add(world.id, response, ["two", "both"]);
      for (const name of ["one", "two", "both"])
        expect(await waitingFor(world.id, name)).toEqual([{ response, lookupIds: ["both", "one", "two"] }]);
      expect(await waitingFor(world.id, "another")).toEqual([]);
      expect(await waitingFor(`${world.id}-other`, "one")).toEqual([]);
    });
  });
}
