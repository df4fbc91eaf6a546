import { html } from "hono/html";
import { ApiRefusal, ifUnchanged, pathOf } from "../../console/api.ts";
import type { Page, PageAnswer, PageRequest } from "../../console/page.ts";
import { form } from "../../console/parts/form.ts";
import { refusedFormStatus } from "../../console/parts/refused-form.ts";

const path = "/console/sources/{id}/delete";

/** A question whether the documents of a source are also deleted. */
const ask: Page = {
  method: "GET",
  path,
  audience: "operator",
  section: "sources",
  answer: (request) => askPage(request),
};

async function askPage(request: PageRequest, problem?: ApiRefusal["problem"]): Promise<PageAnswer> {
  const { api, params, texts } = request;
  const id = params.id ?? "";
  const deletion = await api.send("GET /sources/{id}/deletion", { id });
  if (!deletion.ok) throw new ApiRefusal(deletion.problem);
  const { isPossible, documents } = deletion.body;
  const title = texts.deleteSource.title(id);
  const back = pathOf`/console/sources/${id}`;
  const { keep, delete: deleteAll } = texts.deleteSource.choices;
  const choice = {
    name: "documents",
    label: texts.deleteSource.documents(documents),
    isRequired: true,
    options: { "": texts.deleteSource.choose, keep, delete: deleteAll(documents) },
  };
  const body = html`<div class="heading"><h1>${title}</h1></div>
${
  isPossible
    ? html`<p>${texts.deleteSource.explanation}</p>${form({
        request,
        to: pathOf`/console/sources/${id}/delete`,
        button: texts.deleteSource.button,
        problem,
        hidden: { version: deletion.headers.etag ?? "" },
        stored: back,
        fields: [choice],
      })}`
    : html`<p class="error">${texts.deleteSource.imported}</p>`
}
<p><a href="${back}">${texts.deleteSource.back}</a></p>`;
  return { title, body, ...refusedFormStatus(problem) };
}

const remove: Page = {
  method: "POST",
  path,
  audience: "operator",
  section: "sources",
  answer: async (request) => {
    const { api, form: sent, params, texts } = request;
    const id = params.id ?? "";
    const { documents } = sent;
    if (documents !== "keep" && documents !== "delete")
      return askPage(request, { status: 400, field: "documents", detail: texts.deleteSource.choose });
    const done = await api.send(
      "DELETE /sources/{id}",
      { id, documents },
      undefined,
      ifUnchanged(sent.version),
    );
    if (!done.ok) return askPage(request, done.problem);
    return { redirect: "/console/sources", notice: { text: texts.deleteSource.deleted[documents](id) } };
  },
};

export const deleteSourcePages: readonly Page[] = [ask, remove];
