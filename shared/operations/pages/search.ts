import { html } from "hono/html";
import { type Api, pathOf } from "../../console/api.ts";
import type { Page } from "../../console/page.ts";
import { titleOf } from "../../links/pages/collections.ts";

/** The matches of a search, by type. */
interface Match {
  kind: "record" | "source" | "host" | "collection";
  label: string;
  to: string;
}

const maxSources = 50;
const maxTextChars = 200;
const doi = /\b10\.\d{4,9}\/\S+/;
const hostName = /^[a-z0-9.-]+\.[a-z]{2,}(:\d+)?$|^(\d{1,3}\.){3}\d{1,3}(:\d+)?$/i;

/**
 * Finds the object of a text: a DOI, a URL, the id or hash of a record, a host, a source by title, id or ISSN, or a
 * collection. A single match is opened directly.
 */
const search: Page = {
  method: "GET",
  path: "/console/search",
  audience: "viewer",
  section: "records",
  answer: async ({ api, texts, url }) => {
    const text = (url.searchParams.get("q") ?? "").trim();
    const matches = text === "" ? [] : await find(text, api);
    const [only] = matches;
    if (only !== undefined && matches.length === 1) return { redirect: only.to };
    const body = html`<div class="heading"><h1>${texts.search.title(text)}</h1></div>
${matches.length === 0 ? html`<p class="empty">${texts.search.nothing}</p><p>${texts.search.hint}</p>` : ""}
<ul class="tasks">${matches.map(({ kind, label, to }) => html`<li><span><a href="${to}">${label}</a></span><span class="quiet">${texts.search.kinds[kind]}</span></li>`)}</ul>`;
    return { title: texts.frame.search, body };
  },
};

async function find(text: string, api: Api): Promise<Match[]> {
  const records = await findRecord(text, api);
  // A text that identifies a record is not searched further. For example, the host of a record's URL is not the
  // intended result.
  if (records.length > 0) return records;
  const named = text.replace(/^e?-?issn:?\s*(?=\d{4})/i, "");
  const found = await Promise.all([findSources(named, api), findHost(text, api), findCollection(text, api)]);
  return found.flat();
}

async function findRecord(text: string, api: Api): Promise<Match[]> {
  const known = doi.exec(text)?.[0];
  const isUrl = /^https?:\/\//i.test(text);
  const keys = [
    ...(known ? [{ doi: known }] : []),
    ...(isUrl ? [{ url: text }] : []),
    ...(!known && !isUrl ? [{ hash: text }] : []),
  ];
  const mayBeId = !known && !isUrl && !/\s/.test(text) && text.length <= 100;
  const answers = await Promise.all([
    ...(["LIVE", "TEST"] as const).flatMap((mode) =>
      keys.map((key) => api.send("GET /archive", { mode, ...key })),
    ),
    ...(mayBeId ? [api.send("GET /records/{id}", { id: text })] : []),
  ]);
  const records = new Map(
    answers.flatMap((answer) => (answer.ok ? [[answer.body.recordId, answer.body.title] as const] : [])),
  );
  return [...records].map(([id, title]) => ({
    kind: "record",
    label: title,
    to: pathOf`/console/records/${id}`,
  }));
}

async function findSources(text: string, api: Api): Promise<Match[]> {
  const { sources } = await api.get("/sources", {
    q: text.slice(0, maxTextChars),
    limit: maxSources,
  });
  const wanted = text.toLowerCase();
  const exact = sources.filter(({ sourceId, title }) =>
    [sourceId, title].some((each) => each?.toLowerCase() === wanted),
  );
  return (exact.length > 0 ? exact : sources).map(({ sourceId, title }) => ({
    kind: "source",
    label: title ?? sourceId,
    to: pathOf`/console/sources/${sourceId}`,
  }));
}

async function findHost(text: string, api: Api): Promise<Match[]> {
  const host = URL.parse(text)?.host || (hostName.test(text) ? text.toLowerCase() : "");
  if (host === "") return [];
  const answer = await api.send("GET /hosts/{host}", { host });
  return answer.ok ? [{ kind: "host", label: host, to: pathOf`/console/hosts/${host}` }] : [];
}

async function findCollection(text: string, api: Api): Promise<Match[]> {
  if (/[\s/?]/.test(text)) return [];
  const answer = await api.send("GET /collections/{id}", { id: text });
  return answer.ok
    ? [{ kind: "collection", label: titleOf(answer.body) || text, to: pathOf`/console/collections/${text}` }]
    : [];
}

export const searchPages: readonly Page[] = [search];
