import { describe, expect, it } from "vitest";
import { chooseTranslation } from "../../../../shared/web/translation/choose-translation.ts";
import type { Translator } from "../../../../shared/web/translation/translator.ts";
import { GateWorld } from "../gate-world.ts";

describe("the gate", () => {
  const answered = {
    type: "answered",
    status: 200,
    headers: {},
    body: new Uint8Array([1]),
    elapsedMs: 1,
  } as const;

  function gateWith(change: Partial<Record<keyof Translator, unknown>>) {
    const taken: string[] = [];
    // Of an instance of the class only what the gate calls.
    const translator = {
      exchangeMaxMs: 200_000,
      recall: async () => undefined,
      claimSlot: async () => {
        taken.push("taken");
        return { release: async () => void taken.push("left") };
      },
      exchange: async () => ({ ...answered, transport: { translated: "page" } }),
      onStored: async () => {},
      ...change,
    } as unknown as Translator;
    return { world: new GateWorld({}, {}, { chooseTransport: chooseTranslation(translator) }), taken };
  }

  const article = [{ url: "https://j.example/1" }];

  it("an article → the server's response, under the host's lease; the slot is released", async () => {
    const { world, taken } = gateWith({});
    expect(await world.serve(article)).toEqual([]);
    expect(world.sent.map(({ url }) => url)).toEqual(["https://j.example/robots.txt"]);
    expect(world.responses).toMatchObject([
      { outcome: { status: 200, url: "https://j.example/1", transport: { translated: "page" } } },
    ]);
    expect(taken).toEqual(["taken", "left"]);
    expect(world.hosts.get("j.example")?.readyAtMs).toBeGreaterThan(world.nowMs);
  });

  it("a feed → the host", async () => {
    const { world, taken } = gateWith({});
    await world.serve([{ url: "https://j.example/feed", kind: "feed" }]);
    expect(world.sent.map(({ url }) => url)).toContain("https://j.example/feed");
    expect(taken).toEqual([]);
  });

  it("all slots taken → returned to the queue, without an attempt", async () => {
    const { world } = gateWith({ claimSlot: async () => undefined });
    expect(await world.serve(article)).toEqual(["m1"]);
    expect(world.returned).toEqual([{ messageIds: ["m1"], waitMs: 2000 }]);
    expect(world.hosts.get("j.example")?.pendingExchange).toBeUndefined();
  });

  it("all slots taken repeatedly → growing waits, within the receive limit of a message; a free slot resets them", async () => {
    let isTaken = true;
    const place = { release: async () => {} };
    const { world } = gateWith({ claimSlot: async () => (isTaken ? undefined : place) });
    for (let time = 0; time < 6; time++) await world.serve(article);
    expect(world.returned.map(({ waitMs }) => waitMs)).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);
    isTaken = false;
    expect(await world.serve(article)).toEqual([]);
    isTaken = true;
    await world.serve([{ id: "next", url: "https://j.example/2" }]);
    expect(world.returned.at(-1)?.waitMs).toBe(2000);
  });

  it("remembered as another page's choice → no request", async () => {
    const known = {
      type: "answered",
      status: 200,
      url: "https://j.example/1",
      hops: [],
      headers: {},
      bodyKey: "b",
      transport: { translated: "cached" },
      elapsedMs: 0,
    };
    const { world, taken } = gateWith({ recall: async () => known });
    await world.serve(article);
    expect(world.responses).toMatchObject([
      { outcome: { transport: { translated: "cached" }, bodyKey: "b" } },
    ]);
    expect(taken).toEqual([]);
  });

  it("500 from the server → an answer, no back-off of the host", async () => {
    const { world } = gateWith({
      exchange: async () => ({ ...answered, status: 500, transport: { translated: "page" } }),
    });
    expect(await world.serve(article)).toEqual([]);
    expect(world.outcomes).toEqual([500]);
    expect(world.hosts.get("j.example")?.backoffUntilMs).toBe(0);
  });

  it("a search without a server → refused", async () => {
    const world = new GateWorld({}, {}, { chooseTransport: chooseTranslation(undefined) });
    await world.serve([{ ...article[0], transport: { search: "1111-1119" } } as { url: string }]);
    expect(world.outcomes).toEqual(["refused no-translation-server"]);
  });
});
