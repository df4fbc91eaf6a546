import { html } from "hono/html";
import type { Answer } from "../../api/route-table.ts";
import { withQuery } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { sourceFields } from "../../records/sources/source-fields.ts";
import { proposalPages } from "./proposed-source.ts";

type Running = Extract<Answer<"GET /detections/{id}">, { status: "running" }>;
type Finished = Extract<Answer<"GET /detections/{id}">, { status: "finished" }>;

const { title, sourceId, groupId, url } = sourceFields;
const path = "/console/sources/add";

/** Detects the type of a new source at its address. */
export const addSourcePages: readonly Page[] = proposalPages<Running, Finished>({
  path,
  words: ({ add }) => ({ title: add.title, explanation: add.explanation, button: add.look }),
  asked: ({ texts }) => [
    { name: "url", label: texts.add.address, kind: "url", isRequired: true, hint: texts.add.addressHint },
    { name: "groupId", label: texts.sources.group, hint: texts.add.groupHint },
  ],
  start: ({ api, form: { url = "", groupId = "" } }) => {
    const group = groupId.trim();
    return api.send("POST /detections", {}, { url: url.trim(), ...(group !== "" && { groupId: group }) });
  },
  result: (api, id) => api.get("/detections/{id}", { id }),
  progress: (_detection, texts) => texts.add.asking,
  shown: detectedView,
  proposed: ({ outcome }) => (outcome.type === "nothing" ? undefined : outcome.source),
  fields: { title, sourceId, groupId, url },
});

function detectedView({ outcome }: Finished, { texts }: PageRequest): Html {
  if (outcome.type === "nothing")
    return html`<p class="error">${texts.add.nothing(outcome.detail)}</p><p><a href="${path}">${texts.add.other}</a></p>`;
  const { kind, detail, source } = outcome;
  const check = withQuery("/console/sources/check", { url: source.url });
  return html`
<p class="good"><strong>${texts.add.kinds[kind]}</strong></p><p>${detail}</p>${
    source.type === "OAI-PMH" ? html`<p><a class="button" href="${check}">${texts.check.start}</a></p>` : ""
  }
`;
}
