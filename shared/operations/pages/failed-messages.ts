import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { ApiRefusal, pathOf } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { changed, rowsPerPage, table } from "../../console/parts/table.ts";
import { time } from "../../console/parts/time.ts";

type FailedMessage = Answer<"GET /failed-messages">["messages"][number];

const address = "/console/failed-messages";

/** The messages that functions could not process. Each can be retried or discarded. */
const failedMessages: Page = {
  method: "GET",
  path: address,
  audience: "viewer",
  section: "events",
  answer: async (request) => {
    const { api, texts, url } = request;
    const after = url.searchParams.get("after") ?? undefined;
    const page = await api.get("/failed-messages", { limit: rowsPerPage, after });
    const shown = table({
      request,
      caption: texts.failedMessages.title,
      columns: [
        { head: texts.failedMessages.at, cell: ({ failedAt }) => time(failedAt, request) },
        { head: texts.failedMessages.queue, cell: ({ queue }) => queue },
        { head: texts.failedMessages.subject, cell: subjectOf },
        {
          head: texts.failedMessages.reason,
          cell: ({ reason, unsettled }) =>
            unsettled === undefined ? reason : `${reason} (${texts.failedMessages.unsettled(unsettled)})`,
        },
        { head: texts.failedMessages.actions, cell: (message) => actionsOf(message, request) },
      ],
      rows: page.messages,
      empty: texts.failedMessages.none,
      pages: {
        first: after && changed(url, { after: undefined }),
        next: page.next && changed(url, { after: page.next }),
      },
    });
    const title = texts.failedMessages.title;
    return { title, body: html`<div class="heading"><h1>${title}</h1></div>${shown}` };
  },
};

/** Formats the subject of a message: `sourceId 17, host a.example`. */
function subjectOf({ subject }: FailedMessage): string {
  return Object.entries(subject)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

function actionsOf({ id }: FailedMessage, request: PageRequest): Html {
  if (!mayActAs(request.caller.role, "operator")) return html``;
  const { texts } = request;
  const to = pathOf`/console/failed-messages/${id}`;
  return html`${action({ request, to, label: texts.failedMessages.retry, fields: { act: "retry" } })}${action(
    {
      request,
      to,
      label: texts.failedMessages.discard,
      fields: { act: "discard" },
      confirm: texts.failedMessages.discardConfirm,
    },
  )}`;
}

const decide: Page = {
  method: "POST",
  path: "/console/failed-messages/{id}",
  audience: "operator",
  section: "events",
  answer: async ({ api, form, params, texts }) => {
    const { id = "" } = params;
    const isRetry = form.act === "retry";
    const done = isRetry
      ? await api.send("POST /failed-messages/{id}/retry", { id })
      : await api.send("DELETE /failed-messages/{id}", { id });
    if (!done.ok) throw new ApiRefusal(done.problem);
    const { retried, discarded } = texts.failedMessages;
    return { redirect: address, notice: { text: isRetry ? retried : discarded } };
  },
};

export const failedMessagePages: readonly Page[] = [failedMessages, decide];
