import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { pathOf } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { changed, table } from "../../console/parts/table.ts";
import { time } from "../../console/parts/time.ts";
import { eventTypeNames } from "../../records/events/event-type.ts";

type LoggedEvent = Answer<"GET /events">["events"][number];

/** The events of the bus, newest first. The first page is updated with new events. */
const events: Page = {
  method: "GET",
  path: "/console/events",
  audience: "viewer",
  section: "events",
  isEntry: true,
  answer: async (request) => {
    const { api, texts, url } = request;
    const parameter = (name: string) => url.searchParams.get(name)?.trim() || undefined;
    const after = parameter("after");
    const page = await api.get("/events", {
      limit: 50,
      after,
      type: parameter("type"),
      sourceId: parameter("q"),
    });
    const shown = table({
      request,
      caption: texts.sections.events,
      columns: [
        { head: texts.events.at, cell: ({ loggedAt }) => time(loggedAt, request) },
        { head: texts.events.type, cell: typeAndDetail },
        { head: texts.events.about, cell: (event) => aboutOf(event) },
        { head: texts.events.publisher, cell: ({ source }) => source },
      ],
      rows: page.events,
      empty: texts.events.none,
      filter: {
        label: texts.events.sourceId,
        choices: [{ name: "type", label: texts.events.type, options: typeOptions(request) }],
      },
      pages: {
        first: after === undefined ? undefined : changed(url, { after: undefined }),
        next: page.next === undefined ? undefined : changed(url, { after: page.next }),
      },
    });
    const body = html`<div class="heading"><h1>${texts.sections.events}</h1></div>${shown}`;
    return { title: texts.sections.events, body, live: after === undefined };
  },
};

function typeOptions({ texts }: PageRequest): Record<string, string> {
  return {
    "": texts.events.all,
    ...Object.fromEntries(eventTypeNames.map((type) => [type, type])),
  };
}

/** Renders the type of an event, which can be expanded to show the detail. */
function typeAndDetail({ id, type, detail }: LoggedEvent): Html {
  return html`<details><summary id="event-${id}">${type}</summary><pre class="text">${JSON.stringify(detail, undefined, 2)}</pre></details>`;
}

/** Returns the subject of an event according to its detail, with a link to the page of the subject. */
function aboutOf({ type, detail }: LoggedEvent): Html | string {
  const text = (name: string) => (typeof detail[name] === "string" ? detail[name] : undefined);
  const title = text("title");
  const link = (to: string, shown: string) => html`<a href="${to}">${title ?? shown}</a>`;
  const [recordId, collectionId, sourceId] = [text("recordId"), text("collectionId"), text("sourceId")];
  const uri = text("documentUri") ?? "";
  const document = /^\/sources\/([^/]+)\/documents\/([^/]+)$/.exec(uri);
  if (document !== null) {
    const [, ofSource = "", id = ""] = document;
    return link(`/console/documents/${ofSource}/${id}`, text("url") ?? decodeURIComponent(id));
  }
  const record = recordId ?? /^\/records\/([^/]+)$/.exec(uri)?.[1];
  if (record !== undefined) return link(pathOf`/console/records/${decodeURIComponent(record)}`, record);
  if (type.startsWith("collection.") && collectionId !== undefined) {
    return link(pathOf`/console/collections/${collectionId}`, collectionId);
  }
  return sourceId === undefined ? (title ?? "") : link(pathOf`/console/sources/${sourceId}`, sourceId);
}

export const eventPages: readonly Page[] = [events];
