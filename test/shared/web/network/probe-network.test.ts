import { describe, expect, it } from "vitest";
import type { DomainEvent } from "../../../../shared/records/events/events.ts";
import type { ExchangeOutcome } from "../../../../shared/web/exchange/exchange.ts";
import { networkMail } from "../../../../shared/web/network/network-mail.ts";
import { notifyNetworkChange } from "../../../../shared/web/network/notify-network-change.ts";
import {
  type NetworkState,
  type ProbePorts,
  probeNetwork,
} from "../../../../shared/web/network/probe-network.ts";
import { assertEvent } from "../../assert-event.ts";
import { answer, failure } from "../gate-world.ts";

const urls = ["https://one.example/", "https://two.example/"];

/** @param outcomes of each round, by URL; the last round repeats */
function worldOf(outcomes: ExchangeOutcome[][], before?: NetworkState) {
  const told: NetworkState[] = [];
  const probed: string[] = [];
  let flag = before;
  let nowMs = Date.parse("2026-11-20T12:00:00Z");
  const ports: ProbePorts = {
    flag: {
      get: async () => flag,
      change: async (to) => {
        if (flag?.state !== to.state) flag = to;
      },
      markNotified: async (since) => {
        if (flag?.since === since) flag = { ...flag, isNotified: true };
      },
    },
    probe: async (url) => {
      const round = Math.floor(probed.length / urls.length);
      probed.push(url);
      return (outcomes[round] ?? outcomes.at(-1))?.[urls.indexOf(url)] ?? answer(200);
    },
    notify: async (change) => void told.push(change),
    clock: {
      now: () => new Date(nowMs),
      sleep: async (ms) => {
        nowMs += ms;
      },
    },
  };
  return { ports, told, probed, flag: () => flag };
}

const fails = failure("dns");
const down: NetworkState = { state: "down", since: "2026-11-20T11:00:00.000Z", why: "dns", isNotified: true };

describe("the network probe", () => {
  it.each([
    ["all answer", [[answer(200), answer(200)]], 2],
    ["one of them answers", [[fails, answer(200)]], 2],
    ["one of them answers an error", [[fails, answer(503)]], 2],
    [
      "all fail, and one responds at the second look",
      [
        [fails, fails],
        [fails, answer(200)],
      ],
      4,
    ],
  ])("%s → up, nothing is written or sent", async (_, outcomes, probes) => {
    const world = worldOf(outcomes);
    expect(await probeNetwork(urls, world.ports)).toEqual({ state: "up" });
    expect([world.flag(), world.told, world.probed.length]).toEqual([undefined, [], probes]);
  });

  it("all fail twice → down, with time and reasons, notified once", async () => {
    const world = worldOf([[fails, failure("connect")]]);
    for (let times = 0; times < 3; times++)
      expect(await probeNetwork(urls, world.ports)).toEqual({ state: "down" });
    expect(world.flag()).toEqual({
      state: "down",
      since: "2026-11-20T12:00:05.000Z",
      why: "https://one.example/: dns: dns it was; https://two.example/: connect: connect it was",
      isNotified: true,
    });
    expect(world.told).toHaveLength(1);
  });

  it("up again → notified once, with the time that it was down", async () => {
    const world = worldOf([[answer(200)]], down);
    await probeNetwork(urls, world.ports);
    await probeNetwork(urls, world.ports);
    expect(world.told).toMatchObject([{ state: "up", why: expect.stringContaining(down.since) }]);
  });

  it("the notification fails → repeated at the next probe, of the same change", async () => {
    const world = worldOf([[fails, fails]]);
    const { notify } = world.ports;
    world.ports.notify = () => Promise.reject(new Error("no mail"));
    await expect(probeNetwork(urls, world.ports)).rejects.toThrow("no mail");
    const since = world.flag()?.since;
    world.ports.notify = notify;
    await probeNetwork(urls, world.ports);
    expect(world.told).toMatchObject([{ state: "down", since }]);
  });

  it("nothing to probe → up, whatever it was", async () => {
    const world = worldOf([], down);
    expect(await probeNetwork([], world.ports)).toEqual({ state: "up" });
    expect(world.probed).toEqual([]);
    expect(world.told).toMatchObject([
      { state: "up", why: expect.stringMatching(/^no probe URLs are configured any longer; /) },
    ]);
  });
});

describe("a notification of a change", () => {
  it.each([
    ["down", "network.down"],
    ["up", "network.up"],
  ] as const)("%s → the event %s, valid by its schema", async (state, type) => {
    const published: string[] = [];
    const publish = async (event: DomainEvent) => {
      assertEvent(event);
      published.push(event.type);
    };
    const mailer = { send: async () => {} };
    await notifyNetworkChange({ ...down, state }, { recipients: [], mailer, events: { publish } });
    expect(published).toEqual([type]);
  });

  it("comes as a mail, then as an event", async () => {
    const told: string[] = [];
    const published: unknown[] = [];
    await notifyNetworkChange(down, {
      recipients: ["a@library.example"],
      mailer: { send: async ({ id }) => void told.push(`mail ${id}`) },
      events: {
        publish: async (event) => {
          told.push("event");
          published.push(event);
        },
      },
    });
    expect(told).toEqual(["mail network.down.20261120T110000000Z", "event"]);
    const { since, why } = down;
    expect(published).toEqual([
      { type: "network.down", changeId: `network.down/${since}`, detail: { since, why } },
    ]);
  });
});

describe("the mail of a change", () => {
  it("says what, since when and why, under an id of its own", () => {
    const mail = networkMail(down, ["a@library.example"]);
    expect(mail).toMatchObject({
      id: "network.down.20261120T110000000Z",
      to: ["a@library.example"],
      subject: "Ingather: the network is DOWN since 2026-11-20 11:00 UTC",
      text: expect.stringContaining("Why: dns"),
      html: expect.stringContaining("Nothing is lost"),
    });
  });

  it("markup in a reason → escaped", () => {
    const mail = networkMail({ ...down, why: "<b>" }, []);
    expect(mail.html).toContain("&lt;b&gt;");
  });
});
