import { beforeEach, describe, expect, it } from "vitest";
import { MemoryPorts } from "../../memory-ports.ts";
import { type Article, deliver, deliveredTitles, harvested } from "../run-world.ts";

let ports: MemoryPorts;
let runs: number;
beforeEach(() => {
  ports = new MemoryPorts();
  runs = 0;
});

async function run(...articles: Article[]): Promise<void> {
  runs += 1;
  ports.now = new Date(ports.now.getTime() + 86_400_000);
  harvested(ports, `run-${runs}`, articles);
  const figures = { state: "read", entries: articles.length, known: {}, requested: articles.length } as const;
  ports.listings.set(`run-${runs} source`, { sourceId: "source", title: "S", ...figures, dropped: [] });
  await deliver(`run-${runs}`, ports);
}

const listed = () => [...ports.refusedByKey.values()].map(({ document }) => document.recordId);
const refused = (id: string, url: string, more: Partial<Article> = {}): Article => ({
  id,
  title: "",
  urls: [url],
  ...more,
});
const plain = refused("b", "https://j.example/1");
const tracked = refused("a", "https://j.example/1?utm_source=rss");

describe("a refused article", () => {
  it.each([
    ["listed twice", [plain, tracked]],
    ["listed twice, the other way round", [tracked, plain]],
  ])("%s → refused and reported once, the second told as the same", async (_when, articles) => {
    await run(...articles);
    expect(listed()).toEqual(["a"]);
    const { subject, text } = ports.mails[0] ?? {};
    expect(subject).toMatch(/: 0 records delivered, 1 refused$/);
    expect(text).toMatch(/2 converted, 1 duplicate, or ignored, 1 refused/);
    expect(text).toContain("url:j.example/1 is that of record a of this run");
    const log = [...ports.files].find(([key]) => key.endsWith(".log"))?.[1];
    expect(new TextDecoder().decode(log).trimEnd().split("\n")).toHaveLength(1);
  });

  it("listed at one address, then at both → on the list once", async () => {
    await run(plain);
    expect(listed()).toEqual(["b"]);
    await run(plain, tracked);
    expect(listed()).toEqual(["a"]);
  });

  it("in a chain of shared keys → the first stays, all others are duplicates", async () => {
    const doi = "10.5555/a";
    await run(plain, { ...tracked, doi }, refused("c", "https://other.example/1", { doi }));
    expect(listed()).toEqual(["a"]);
  });

  it("beside others → they stay", async () => {
    await run(plain, refused("c", "https://j.example/2"), { id: "v", urls: ["https://j.example/3"] });
    expect(listed().sort()).toEqual(["b", "c"]);
    expect(deliveredTitles(ports)).toEqual(["On v"]);
  });

  it("refused again by the next two runs → reported as before, with its days", async () => {
    await run(plain);
    await run(plain);
    await run(plain, refused("c", "https://j.example/2"));
    const [first, second, third] = ports.mails;
    expect(first?.subject).toMatch(/, 1 refused$/);
    expect(second?.subject).toMatch(/: 0 records delivered, 1 refused as before$/);
    expect(second?.text).toMatch(/Refused by validation, and reported before:\n.*: since 1 day: /);
    expect(third?.subject).toMatch(/, 1 refused, 1 refused as before$/);
    expect(third?.text).toMatch(/: since 2 days: /);
  });

  it("corrected at one of its URLs → delivered, and the other is no longer listed", async () => {
    await run(plain, tracked);
    await run({ ...tracked, title: "Mended" });
    expect(deliveredTitles(ports)).toEqual(["Mended"]);
    expect(listed()).toEqual([]);
  });
});
