import { beforeEach, describe, expect, it } from "vitest";
import { reportLinks } from "../../../../shared/links/report/report-links.ts";
import { restoreCollection } from "../../../../shared/links/status/restore.ts";
import type { StatusChangeType } from "../../../../shared/records/events/events.ts";
import type { Mail } from "../../../../shared/records/mail/mailer.ts";
import { byOperator, LinkWorld } from "../link-world.ts";

let world: LinkWorld;
beforeEach(() => {
  world = new LinkWorld();
  world.addCollection({ collectionId: "a", title: "Alpha & Omega", recipients: ["a@library.example"] }, 0);
  world.addCollection({ collectionId: "b", title: "Beta" }, 0);
});

/** 06:00 on the 21st in Auckland. */
const morning = new Date("2026-11-20T17:00:00Z");

async function count(collectionId: string, change: StatusChangeType, links: number): Promise<void> {
  for (let number = 1; number <= links; number += 1) {
    const recordId = `${collectionId}-${change}-${number}`;
    const url = `https://${collectionId}.example/${change}/${number}?a=1&b=2`;
    await world.ports.statistics.add({ day: "2026-11-20", collectionId, change, recordId, url });
  }
}

it("the share over all collections → stored; a repeat of an earlier day's report changes nothing", async () => {
  const verdicts = ["broken", "alive", "alive", "inconclusive"] as const;
  for (const [index, verdict] of verdicts.entries()) {
    const collectionId = index % 2 === 0 ? "a" : "b";
    await world.ports.samples.add({ collectionId, day: "2026-11-19", recordId: `r${index}`, verdict });
  }
  await report();
  const stored = world.overallShare;
  expect(stored).toMatchObject({ from: "2026-11-07", to: "2026-11-20", judged: 3, dead: 1, inconclusive: 1 });
  expect(stored?.share).toBeCloseTo(1 / 3);
  await reportLinks(new Date("2026-11-18T17:00:00Z"), { ...world.ports, recipients: [] });
  expect(world.overallShare).toEqual(stored);
});

async function report(recipients = ["all@library.example"]) {
  const done = await reportLinks(morning, { ...world.ports, recipients });
  return { done, mails: world.mails };
}

describe("the daily mail", () => {
  it("covers the day before in the time zone, grouped by collection, with counts and samples", async () => {
    await count("a", "suppressed", 2);
    await count("b", "deleted", 31);
    const { done, mails } = await report();
    expect(done).toEqual({ day: "2026-11-20", mails: 2 });
    const [toAll] = mails;
    expect(toAll?.subject).toBe("Ingather: link checker report for 2026-11-20");
    expect(toAll?.text).toContain(
      "Alpha & Omega: 0 activated, 2 suppressed, 0 deleted\n  suppressed:\n    https://a.example/suppressed/1?a=1&b=2\n",
    );
    expect(toAll?.text).toContain("Beta: 0 activated, 0 suppressed, 31 deleted");
    expect(toAll?.text.match(/https:\/\/b\.example/g)).toHaveLength(20);
    expect(toAll?.text).toContain("    and 11 more");
    expect(toAll?.html).toContain("Alpha &amp; Omega: 0 activated, 2 suppressed, 0 deleted");
    expect(toAll?.html).toContain('<a href="https://a.example/suppressed/1?a=1&amp;b=2">');
  });

  it("links that could not be judged → listed with the reason", async () => {
    const change = { day: "2026-11-20", collectionId: "b", recordId: "b-1", url: "https://b.example/1" };
    const reason = "page not judged: more than 5242880 bytes";
    await world.ports.statistics.add({ ...change, change: "unjudged", reason });
    const { mails } = await report();
    expect(mails[0]?.text).toContain(
      `Beta: 0 activated, 0 suppressed, 0 deleted, 1 could not be judged\n  could not be judged:\n    https://b.example/1 (${reason})\n`,
    );
    expect(mails[0]?.html).toContain(`<a href="https://b.example/1">https://b.example/1</a> (${reason})`);
  });

  it("collections suppressed, deleted and back → listed with time and reason, by checks as by operators", async () => {
    world.addCollection({ collectionId: "a", title: "Alpha & Omega", recipients: ["a@library.example"] });
    world.addCollection({ collectionId: "b", title: "Beta" }, 0);
    world.reply = () => 404;
    await world.sweep();
    world.nowMs += 1000;
    await restoreCollection("a", byOperator, world.ports);
    await world.hold("b");
    world.mails.length = 0;
    // 06:00 on the 21st; the changes above are of the evening of the 20th.
    const { mails } = await report();
    const alpha = [
      "Alpha & Omega: 0 activated, 0 suppressed, 0 deleted",
      "  the collection was suppressed at 2026-11-20T08:00:00.000Z: all 4 sampled links are broken: answered 404",
      "  the collection was activated at 2026-11-20T08:00:01.000Z: restored by anna: the publisher moves",
    ].join("\n");
    expect(mails[0]?.text).toContain(alpha);
    expect(mails[0]?.text).toContain(
      "  the collection was suppressed at 2026-11-20T08:00:01.000Z: held by anna: the publisher moves",
    );
    expect(mails[0]?.html).toContain("<p>the collection was activated at 2026-11-20T08:00:01.000Z: ");
    expect(mails[1]?.text).toContain(alpha);
    expect(mails[1]?.text).not.toContain("Beta");
  });

  it("links whose host refuses us → counted per collection and per host, most first", async () => {
    const refuse = async (collectionId: string, number: number, host: string) => {
      const url = `https://doi.example/${collectionId}/${number}`;
      const reason = `answered 403: ${host} refuses us`;
      const recordId = `${collectionId}-${number}`;
      const change = { day: "2026-11-20", collectionId, recordId, url, reason, host };
      await world.ports.statistics.add({ ...change, change: "refused" });
    };
    await refuse("a", 1, "wall.example");
    for (let number = 1; number <= 30; number += 1) await refuse("b", number, "gate.example");
    const { mails } = await report();
    expect(mails[0]?.text).toContain(
      "Alpha & Omega: 0 activated, 0 suppressed, 0 deleted, 1 not judged because their host refuses our requests",
    );
    expect(mails[0]?.text).toContain(
      "Hosts that refuse our requests:\n  gate.example: 30 links\n  wall.example: 1 link\n",
    );
    expect(mails[0]?.text).toContain("https://doi.example/a/1 (answered 403: wall.example refuses us)");
    expect(mails[0]?.html).toContain("<li>gate.example: 30 links</li>");
    expect(mails[1]?.text).toContain("wall.example: 1 link");
    expect(mails[1]?.text).not.toContain("gate.example");
  });

  it("a host whose checks need more time than there is → how much", async () => {
    await world.ports.busyHosts.save({
      at: "2026-11-20T16:00:00Z",
      intervalMs: 7_200_000,
      hosts: [{ hostKey: "slow.example", collections: 31, links: 124, neededMs: 11_160_000 }],
    });
    const { mails } = await report();
    expect(mails[0]?.text).toContain(
      "Hosts without enough time for their checks:\n  slow.example: its checks need 3.1 h of every 2 h; its 31 collections take turns\n",
    );
    expect(mails[1]?.text).not.toContain("slow.example");
  });

  it("random samples → the share of dead links with interval and trend, rising ones first", async () => {
    const draw = async (collectionId: string, day: string, dead: number, alive: number) => {
      for (let number = 0; number < dead + alive; number += 1) {
        const verdict = number < dead ? ("broken" as const) : ("alive" as const);
        await world.ports.samples.add({ collectionId, day, recordId: String(number), verdict });
      }
    };
    await draw("a", "2026-11-20", 1, 9);
    await draw("b", "2026-10-30", 0, 50);
    await draw("b", "2026-11-20", 20, 30);
    const { mails } = await report();
    expect(mails[0]?.text).toContain(
      [
        "Dead links, estimated by random samples:",
        "  Beta: 40.0 % (95 % interval 27.6 % to 53.8 %) of 50 from 2026-11-07 to 2026-11-20, significantly rising; from 2026-10-24 to 2026-11-06 0.0 % (95 % interval 0.0 % to 7.1 %) of 50",
        "  Alpha & Omega: 10.0 % (95 % interval 1.8 % to 40.4 %) of 10 from 2026-11-07 to 2026-11-20, no clear trend",
      ].join("\n"),
    );
    expect(mails[0]?.html).toContain("<li>Alpha &amp; Omega: 10.0 % (95 % interval");
    expect(mails[1]?.text).toContain("Alpha & Omega: 10.0 %");
    expect(mails[1]?.text).not.toContain("Beta");
  });

  it("an invalid collection → listed with the problem", async () => {
    world.unusable.set("b", { collectionId: "b", problem: "rule.xpath: unexpected end", hold: false });
    const { mails } = await report();
    expect(mails[0]?.text).toContain(
      "Not checked: the configuration of the collection is invalid:\n  b: rule.xpath: unexpected end\n",
    );
    expect(mails[1]?.text).not.toContain("Not checked");
  });

  it("a recipient of two collections, in different case → one mail with both; a recipient of all → no second mail", async () => {
    world.addCollection({ collectionId: "b", title: "Beta", recipients: ["A@Library.example"] }, 0);
    world.addCollection({ collectionId: "c", title: "Gamma", recipients: ["ALL@library.example"] }, 0);
    for (const collectionId of ["a", "b", "c"]) await count(collectionId, "suppressed", 1);
    const { mails } = await report();
    expect(mails.map(({ to }) => to)).toEqual([["all@library.example"], ["a@library.example"]]);
    expect(["Alpha & Omega", "Beta", "Gamma"].filter((title) => mails[1]?.text.includes(title))).toEqual([
      "Alpha & Omega",
      "Beta",
    ]);
  });

  it("recipients of a collection → only their collection", async () => {
    await count("a", "suppressed", 1);
    await count("b", "deleted", 1);
    const { mails } = await report();
    expect(mails.map(({ to }) => to)).toEqual([["all@library.example"], ["a@library.example"]]);
    expect(mails[1]?.text).toContain("Alpha");
    expect(mails[1]?.text).not.toContain("Beta");
  });

  it("no changes → sent, and says so", async () => {
    const { mails } = await report();
    expect(mails).toHaveLength(2);
    for (const { text, html } of mails) {
      expect(text).toContain("No link or collection was activated, suppressed or deleted.");
      expect(html).toContain("No link or collection was activated, suppressed or deleted.");
    }
  });

  it("a recipient of all and of a collection → one mail", async () => {
    const { mails } = await report(["a@library.example"]);
    expect(mails.map(({ to }) => to)).toEqual([["a@library.example"]]);
  });

  it("sent again → the same ids, a different one for each recipient", async () => {
    await report();
    const { mails } = await report();
    const ids = mails.map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual(ids.slice(2));
    expect(new Set(ids).size).toBe(2);
  });

  it("another recipient of all → the same mail id, so that nobody gets it twice", async () => {
    await report(["all@library.example"]);
    const { mails } = await report(["all@library.example", "new@library.example"]);
    expect(mails.filter(({ to }) => to.includes("all@library.example")).map(({ id }) => id)).toEqual([
      "links.2026-11-20.all",
      "links.2026-11-20.all",
    ]);
  });

  it("100 recipients → each gets it, at most 8 mails sent at once", async () => {
    const readers = Array.from({ length: 100 }, (_, at) => `reader-${at}@library.example`);
    world.addCollection({ collectionId: "a", title: "A", recipients: readers.slice(0, 50) }, 0);
    world.addCollection({ collectionId: "b", title: "B", recipients: readers.slice(50) }, 0);
    let underWay = 0;
    let most = 0;
    const sent: string[] = [];
    const send = async ({ to }: Mail) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      sent.push(...to);
    };
    await reportLinks(morning, { ...world.ports, recipients: [], mailer: { send } });
    expect(sent.sort()).toEqual(readers.sort());
    expect(most).toBe(8);
  });

  it("a title with markup → escaped", async () => {
    world.addCollection({ collectionId: "b", title: "<script>" }, 0);
    await count("b", "deleted", 1);
    const { mails } = await report();
    expect(mails[0]?.html).not.toContain("<script>");
  });
});

describe("the mail about a change", () => {
  it.each<[string, number, string]>([
    ["suppressed", 0, "Its records are suppressed in searches"],
    ["deleted", 100, "an operator can restore it"],
  ])("%s → names the effect and the reason", async (change, hours, meaning) => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.sweep();
    await world.advance(hours * 3_600_000);
    const mail = world.mails.find(({ subject }) => subject === `Ingather: C was ${change}`);
    expect(mail?.text).toContain(meaning);
    expect(mail?.html).toContain(meaning);
    expect(mail?.text).toContain("Reason: all 4 sampled links are broken: answered 404.");
    expect(mail?.text).toContain("Grund: alle 4 Links der Stichprobe sind defekt: Antwort 404.");
    for (const number of [1, 2, 3, 4]) {
      expect(mail?.text).toContain(
        `  https://c.example/${number} (answered 404)\n    record and checks: https://api.example/console/records/c-00${number}\n`,
      );
      expect(mail?.text).toContain(`  https://c.example/${number} (Antwort 404)\n`);
      const link = `<a href="https://c.example/${number}">https://c.example/${number}</a> (answered 404)`;
      expect(mail?.html).toContain(link);
    }
    expect(mail?.text).toContain("in the console:\n  https://api.example/console/collections/c\n");
    expect(mail?.html).toContain('<a href="https://api.example/console/collections/c">');
  });

  it("suppressed for different reasons → each link has its own; addresses with markup are escaped", async () => {
    world.addCollection({ collectionId: "c", title: "C", rule: { statusCodes: "500" } }, 1);
    world.addRecord("c", 2, { landingUrl: "https://c.example/?a=<b>&c" });
    world.reply = (url) => (url.endsWith("/1") ? [302, 410] : 500);
    await world.sweep();
    expect(world.mails[0]?.text).toContain(
      "  https://c.example/1 (answered 410)\n    hops: 302 https://c.example/1 → 410 https://c.example/1/1\n",
    );
    expect(world.mails[0]?.text).toContain(
      "  https://c.example/?a=<b>&c (answered 500, which the rule names (500))\n",
    );
    expect(world.mails[0]?.html).toContain("https://c.example/?a=&lt;b&gt;&amp;c</a>");
  });

  it("suppressed by an XPath → what it found on each page", async () => {
    world.addCollection({ collectionId: "c", title: "C", rule: { xpath: "//h1" } }, 1);
    world.reply = () => ({ page: "<h1>This journal has <b>moved</b></h1>" });
    await world.sweep();
    expect(world.mails[0]?.text).toContain("    page: This journal has moved\n");
    expect(world.mails[0]?.text).toContain("    Seite: This journal has moved\n");
  });

  it("a chain of long addresses → shortened, so that a sweep fits its item", async () => {
    world.addCollection({ collectionId: "c", title: "C" }, 0);
    world.addRecord("c", 1, { landingUrl: `https://c.example/${"x".repeat(5000)}` });
    world.reply = () => [302, 302, 410];
    await world.sweep();
    const [hops = ""] = /(?<=hops: ).*/.exec(world.mails[0]?.text ?? "") ?? [];
    expect(hops).toHaveLength(1000);
  });

  it("active again, held or released → no links, as none failed", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    await world.hold("c");
    await world.hold("c", false);
    world.reply = () => 404;
    await world.sweep();
    world.reply = () => 200;
    await world.advance(2 * 3_600_000);
    const others = world.mails.filter(({ text }) => !text.includes("https://c.example/"));
    expect(world.mails).toHaveLength(4);
    expect(others).toHaveLength(3);
  });
});

describe("an address that refuses mails", () => {
  const refusing = (refused: string) => ({
    send: async (mail: Mail) => {
      if (mail.to.includes(refused)) throw new Error("MessageRejected");
      await world.ports.mailer.send(mail);
    },
  });

  it("the daily mail → sent to all others, and the report fails", async () => {
    for (const name of ["c", "d", "e"]) {
      world.addCollection({ collectionId: name, title: name, recipients: [`${name}@library.example`] }, 0);
    }
    const ports = { ...world.ports, mailer: refusing("d@library.example") };
    await expect(reportLinks(morning, ports)).rejects.toThrow("1 of 5 mails could not be sent");
    expect(world.mails.flatMap(({ to }) => to)).toEqual([
      "all@library.example",
      "a@library.example",
      "c@library.example",
      "e@library.example",
    ]);
  });

  it("the mail about a change → the event is published", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    Object.assign(world.ports, { mailer: refusing("all@library.example") });
    await expect(world.sweep()).rejects.toThrow("MessageRejected");
    expect(world.published.map(({ type }) => type)).toContain("collection.suppressed");
  });
});
