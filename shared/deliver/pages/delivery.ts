import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { ApiRefusal, pathOf } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";
import { sizeText } from "../../console/parts/size.ts";
import { state } from "../../console/parts/state.ts";
import { time } from "../../console/parts/time.ts";
import { figure } from "../../console/texts/figure.ts";
import { type Delivery, maxFiles } from "./deliveries.ts";

type Resend = Answer<"GET /deliveries/{id}/resend">;

/** One file, to download or to send to its receiver again. */
const delivery: Page = {
  method: "GET",
  path: "/console/deliveries/{id}",
  audience: "viewer",
  section: "deliveries",
  answer: async (request) => {
    const { api, params, texts } = request;
    const id = params.id ?? "";
    const file = (await api.get("/deliveries", { limit: maxFiles })).deliveries.find(
      ({ deliveryId }) => deliveryId === id,
    );
    if (file === undefined) throw new ApiRefusal({ status: 404, detail: texts.deliveries.unknown });
    const [download, resend] = await Promise.all([
      api.send("GET /deliveries/{id}/file", { id }),
      api.send("GET /deliveries/{id}/resend", { id }),
    ]);
    const address = download.ok ? download.headers.location : undefined;
    const last = resend.ok ? resend.body : undefined;
    const body = html`
<p><a href="/console/deliveries">${texts.deliveries.title}</a></p>
<div class="heading"><h1>${file.fileName}</h1><div class="actions">
${address ? html`<a class="button main" href="${address}">${texts.deliveries.download}</a>` : ""}
${
  mayActAs(request.caller.role, "operator")
    ? action({
        request,
        to: pathOf`/console/deliveries/${id}`,
        label: texts.deliveries.resend,
        confirm: texts.deliveries.resendConfirm(file.groupId),
      })
    : ""
}</div></div>
${last ? resendState(last, request) : ""}
<dl class="pairs">${fileFacts(file, request).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
    return { title: file.fileName, body, live: last?.status === "waiting" };
  },
};

function fileFacts(file: Delivery, request: PageRequest): [string, Html | string][] {
  const { texts } = request;
  return [
    [texts.sources.group, file.groupId],
    [texts.sources.mode, texts.sources.modes[file.deliveryMode]],
    [texts.refused.records, figure(file.records)],
    [texts.deliveries.size, sizeText(file.sizeBytes)],
    [texts.deliveries.at, html`${time(file.deliveredAt, request)}`],
    file.fileName.endsWith("_updates.xml")
      ? [
          texts.reconversions.title,
          html`<a href="${pathOf`/console/reconversions/${file.runId}`}">${file.runId}</a>`,
        ]
      : [texts.run.title, html`<a href="${pathOf`/console/runs/${file.runId}`}">${file.runId}</a>`],
  ];
}

function resendState(resend: Resend, request: PageRequest): Html {
  const { texts } = request;
  const { status, by, requestedAt } = resend;
  const { endedAt, reason, remark } = resend.status === "waiting" ? {} : resend;
  const shown = { waiting: "waiting", sent: "delivered", failed: "failed" }[status];
  return html`<p role="status">${texts.deliveries.resent} ${state(shown, texts)} ${time(endedAt ?? requestedAt, request)}, ${by}${reason ? `: ${reason}` : ""}${remark ? `: ${remark}` : ""}</p>`;
}

const resend: Page = {
  method: "POST",
  path: "/console/deliveries/{id}",
  audience: "operator",
  section: "deliveries",
  answer: async (request) => {
    const { api, params, texts } = request;
    const id = params.id ?? "";
    const asked = await api.send("POST /deliveries/{id}/resend", { id });
    if (!asked.ok) throw new ApiRefusal(asked.problem);
    return { redirect: pathOf`/console/deliveries/${id}`, notice: { text: texts.deliveries.resending } };
  },
};

export const deliveryPages: readonly Page[] = [delivery, resend];
