import { describe, expect, it } from "vitest";
import { article, deliveredBefore, links, pathsOf, worldOf } from "./site-world.ts";

describe("received mails", () => {
  const mail = (subject: string, body: string, headers = "") =>
    new TextEncoder().encode(
      `From: a@b.example\r\nSubject: ${subject}\r\n${headers}MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${body}`,
    );

  it.each<[string, string, string, string, string[]]>([
    ["a subject that matches → its links", "New issue", links("SITE/a/1", "SITE/a/2"), "", ["/a/1", "/a/2"]],
    ["another subject → nothing", "Newsletter", links("SITE/a/1"), "", []],
    ["held for spam by SES → nothing", "New issue", links("SITE/a/1"), "X-SES-Spam-Verdict: FAIL\r\n", []],
    [
      "links that the extraction expression does not match → not those",
      "New issue",
      links("SITE/a/1", "SITE/imprint"),
      "",
      ["/a/1"],
    ],
  ])("%s", async (_title, subject, body, headers, asked) => {
    const { world, host, add } = await worldOf({ site: { "/a/1": article("One"), "/a/2": article("Two") } });
    add({ type: "EMAIL", email: { subjectRegex: "(?i)new issue" }, crawl: { extractionRegex: "/a/" } });
    world.received.set("m1", mail(subject, body.replaceAll("SITE", host.origin), headers));
    const { documents } = await world.harvest();
    expect(pathsOf(host)).toEqual(asked);
    expect(documents).toHaveLength(asked.length);
    expect([...world.read.keys()]).toEqual(["a m1"]);
    expect(world.deliveries).toHaveLength(1);
  });

  it("read with a wrong subject expression → its links are requested once it is corrected", async () => {
    const { world, host, add } = await worldOf({ site: { "/a/1": article("One") } });
    add({ type: "EMAIL", email: { subjectRegex: "new issue" }, crawl: { extractionRegex: "/a/" } });
    world.read.set("a m1", { subject: "New issue", links: [`${host.origin}/a/1`] });
    world.read.set("a m2", { subject: "A new issue", links: [`${host.origin}/a/2`] });
    await world.harvest();
    expect(pathsOf(host)).toEqual(["/a/2"]);
  });

  it("a preview → requests the links, and leaves the messages unread", async () => {
    const { world, host, add } = await worldOf({ site: { "/a/1": article("One") } });
    add({ type: "EMAIL", crawl: { extractionRegex: "/a/" } });
    world.received.set("m1", mail("x", links(`${host.origin}/a/1`)));
    await world.harvest({ deliveryMode: "NONE", sourceIds: ["a"] });
    expect(pathsOf(host)).toEqual(["/a/1"]);
    expect([...world.read.keys()]).toEqual([]);
  });

  it("a message is read once; what it links to is requested again while it is not delivered", async () => {
    const { world, host, add } = await worldOf({ site: { "/a/1": article("One") } });
    add({ type: "EMAIL", crawl: { extractionRegex: "/a/" } });
    world.received.set("m1", mail("x", links(`${host.origin}/a/1`, `${host.origin}/a/2`)));
    deliveredBefore(world, `url:${host.hostKey}/a/1`);
    world.read.set("a m1", { subject: "x", links: [`${host.origin}/a/1`, `${host.origin}/a/2`] });
    await world.harvest();
    expect(pathsOf(host)).toEqual(["/a/2"]);
  });
});
