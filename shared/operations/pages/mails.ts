import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import {
  changed,
  matchesFilter,
  rowsPerPage,
  table,
  wantsCsv,
  wholeList,
} from "../../console/parts/table.ts";
import { exactTime, time } from "../../console/parts/time.ts";

type SentMail = Answer<"GET /mails">["mails"][number];

/** The mails that were sent, newest first. */
const mails: Page = {
  method: "GET",
  path: "/console/mails",
  audience: "viewer",
  section: "mails",
  isEntry: true,
  answer: async (request) => {
    const { api, texts, url } = request;
    const columns = [
      { head: texts.mails.subject, cell: ({ subject }: SentMail) => subject },
      {
        head: texts.mails.sentAt,
        cell: (mail: SentMail) => sending(mail, request),
        csv: ({ sentAt }: SentMail) => exactTime(new Date(sentAt), request),
      },
      { head: texts.mails.to, cell: ({ to }: SentMail) => to.join(", ") },
    ];
    const parts = {
      request,
      caption: texts.sections.mails,
      columns,
      link: ({ mailId }: SentMail) => `/console/mail?id=${encodeURIComponent(mailId)}`,
      empty: texts.mails.none,
      filter: { label: texts.mails.filter },
    };
    const around = (shown: Html) => html`<div class="heading"><h1>${texts.sections.mails}</h1></div>${shown}`;
    const title = texts.sections.mails;
    // The API has no filter, so all mails are read for a search.
    if (wantsCsv(request) || (url.searchParams.get("q") ?? "") !== "") {
      const all = await api.all("/mails", "mails", { limit: 200 });
      const rows = all.filter(({ subject, to }) => matchesFilter(request, subject, ...to));
      return wholeList({ ...parts, rows, title, fileName: "mails.csv", around });
    }
    const after = url.searchParams.get("after") ?? undefined;
    const page = await api.get("/mails", { limit: rowsPerPage, after });
    const pages = {
      first: after && changed(url, { after: undefined }),
      next: page.next && changed(url, { after: page.next }),
    };
    return { title, body: around(table({ ...parts, rows: page.mails, pages, hasCsv: true })) };
  },
};

/** The text of a mail as it was sent. */
const mail: Page = {
  method: "GET",
  path: "/console/mail",
  audience: "viewer",
  section: "mails",
  answer: async (request) => {
    const { api, texts, url } = request;
    const sent = await api.get("/mails/{id}", { id: url.searchParams.get("id") ?? "" });
    const body = html`<div class="heading"><h1>${sent.subject}</h1></div>
<dl class="pairs">
<div><dt>${texts.mails.sentAt}</dt><dd>${sending(sent, request)}</dd></div>
<div><dt>${texts.mails.to}</dt><dd>${sent.to.join(", ")}</dd></div>
</dl>
<pre class="text">${sent.text}</pre>`;
    return { title: sent.subject, body };
  },
};

/** Describes when a mail was sent, or that it was only stored. */
function sending({ sentAt, isSent }: SentMail, request: PageRequest): Html {
  const at = time(sentAt, request);
  return isSent ? at : html`${at}, ${request.texts.mails.kept}`;
}

export const mailPages: readonly Page[] = [mails, mail];
