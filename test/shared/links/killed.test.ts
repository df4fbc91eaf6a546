import { describe, expect, it } from "vitest";
import { judgeCheck } from "../../../shared/links/judge/judge-check.ts";
import { sweepCollections } from "../../../shared/links/sweep/sweep-collections.ts";
import type { NewRequest } from "../../../shared/web/request/request.ts";
import { LinkWorld } from "./link-world.ts";
import { mortal } from "./mortal-ports.ts";

async function sweepRequests(world: LinkWorld): Promise<NewRequest[]> {
  const requests: NewRequest[] = [];
  const send = async (more: NewRequest[]) => void requests.push(...more);
  await sweepCollections(world.now, { ...world.ports, requests: { send } });
  return requests;
}

describe.each([true, false])(
  "judgeCheck killed at any write (before it: %s), message delivered again",
  (before) => {
    it("the last sample of a dead collection → suppressed, notified once, attempts scheduled", async () => {
      let deaths = 0;
      for (let write = 0; write < 12; write += 1) {
        const world = new LinkWorld();
        world.addCollection({ collectionId: "c", title: "C" });
        world.reply = () => 404;
        const requests = await sweepRequests(world);
        const last = requests.pop() as NewRequest;
        for (const request of requests) await world.deliver(request);
        const killed = judgeCheck(world.responseTo(last), mortal(world.ports, { write, before }));
        deaths += await killed.then(
          () => 0,
          () => 1,
        );
        await world.deliver(last);
        expect(world.statusOf("c"), `write ${write}`).toBe("suppressed");
        expect(world.attemptsDue, `write ${write}`).toHaveLength(4);
        expect(new Set(world.mails.map(({ id }) => id)).size, `write ${write}`).toBe(1);
        expect(new Set(world.published.map(({ changeId }) => changeId)).size, `write ${write}`).toBe(1);
      }
      expect(deaths).toBeGreaterThan(5);
    });

    it("a record that is gone → suppressed, counted and notified once, attempt scheduled", async () => {
      let deaths = 0;
      for (let write = 0; write < 8; write += 1) {
        const world = new LinkWorld();
        world.addCollection({ collectionId: "c", title: "C" });
        world.reply = () => 404;
        const purpose = { type: "record", attempt: 0 };
        const context = {
          checkId: "x",
          recordId: "c-001",
          collectionId: "c",
          landingUrl: "https://c.example/1",
          requestedAt: world.now.toISOString(),
          purpose,
        };
        const request: NewRequest = { id: "x", kind: "link", url: "https://c.example/1", context };
        const killed = judgeCheck(world.responseTo(request), mortal(world.ports, { write, before }));
        deaths += await killed.then(
          () => 0,
          () => 1,
        );
        await world.deliver(request);
        expect(world.linkStatusOf("c-001"), `write ${write}`).toBe("suppressed");
        expect(world.counts(), `write ${write}`).toEqual({ suppressed: 1 });
        expect(world.attemptsDue, `write ${write}`).toHaveLength(1);
        expect(new Set(world.published.map(({ changeId }) => changeId)).size, `write ${write}`).toBe(1);
      }
      expect(deaths).toBeGreaterThan(3);
    });
  },
);
