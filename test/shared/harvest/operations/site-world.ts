import { onTestFinished } from "vitest";
import { type NewSource, source } from "../../../../shared/records/sources/source.ts";
import { HarvestWorld } from "../harvest-world.ts";
import { MockHost, type MockResponse, translator } from "../mock-hosts.ts";

/** What hosts answer, by path; a text is a web page. `SITE` stands for the host's origin. */
export type Site = Record<string, string | MockResponse>;

/** A page that says all of an article. */
export function article(title: string): string {
  return `<!doctype html><title>x</title><meta name="citation_title" content="${title}">
<meta name="citation_author" content="Pell, Ottoline"><meta name="citation_volume" content="1">
<meta name="citation_date" content="2026">`;
}

/** An item as the translation server gives it. */
export function item(path: string, more: object = {}): object {
  const title = `Item ${path}`;
  return {
    itemType: "journalArticle",
    title,
    url: `SITE${path}`,
    volume: "1",
    issue: "2",
    date: "2026",
    ...more,
  };
}

/** A page that links to these paths. */
export function links(...paths: string[]): string {
  return `<!doctype html><body>${paths.map((path) => `<a href="${path}">x</a>`).join("")}`;
}

/** A feed whose entries link to these paths. */
export function feed(...paths: string[]): MockResponse {
  const items = paths.map((path) => `<item><title>T ${path}</title><link>SITE${path}</link></item>`);
  const body = `<rss version="2.0"><channel><title>F</title>${items.join("")}</channel></rss>`;
  return { body, contentType: "application/rss+xml" };
}

interface Given {
  site: Site;
  /** What the translation server answers, by address or session; without it there is no server. */
  translations?: Record<string, MockResponse>;
  policy?: ConstructorParameters<typeof HarvestWorld>[0]["policy"];
}

/** A world with one host that answers as its site says, and the translation server where there is one; `add` adds a source. */
export async function worldOf({ site, translations, policy }: Given) {
  const put = (body: unknown): unknown =>
    typeof body === "string"
      ? body.replaceAll("SITE", host.origin)
      : JSON.parse(put(JSON.stringify(body)) as string);
  const host: MockHost = await MockHost.start(({ path }) => {
    const given = site[path];
    if (given === undefined) return { status: 404 };
    const answer = typeof given === "string" ? { body: given } : given;
    return { ...answer, body: put(answer.body ?? "") };
  });
  const known = new Map(
    Object.entries(translations ?? {}).map(([name, answer]) => [
      put(name) as string,
      { ...answer, body: put(answer.body ?? "") },
    ]),
  );
  const server = translations && (await MockHost.start(translator(known)));
  onTestFinished(async () => {
    for (const started of [host, server]) await started?.stop();
  });
  const world = new HarvestWorld({ hosts: [host], translationServer: server, ...(policy && { policy }) });
  world.memory.addGroup("Test");
  const add = (more: Partial<NewSource>) => {
    const base = {
      sourceId: "a",
      title: "A Journal",
      groupId: "Test",
      deliveryMode: "LIVE",
      url: `${host.origin}/`,
    };
    const value = source.parse({
      type: "RSS",
      ...base,
      ...more,
      ...(more.url && { url: host.origin + more.url }),
    });
    world.memory.sourcesById.set(value.sourceId, value);
  };
  return { world, host, server, add };
}

/** Makes the archive know a key from an earlier run. */
export function deliveredBefore(
  { memory }: HarvestWorld,
  key: string,
  state: "automatic" | "error" | "reset" = "automatic",
): void {
  memory.archived.set(key, { owner: "earlier", state, entryKey: "record:earlier" });
}

/** The paths requested of a host, in order, but for its robots.txt. */
export function pathsOf({ requests }: MockHost): string[] {
  return requests.map(({ path }) => path).filter((path) => path !== "/robots.txt");
}

/** The requests to a translation server: path and body, addresses without the host's origin. */
export function posts(server: MockHost | undefined, host: MockHost): string[] {
  return (server?.requests ?? []).map(({ path, body }) => `${path} ${body.replaceAll(host.origin, "")}`);
}
