import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { ApiRefusal, pathOf } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";

type Held = NonNullable<Answer<"GET /sources/{id}/harvest">["heldDeletions"]>;

/**
 * Renders what was wrong with the last lists of a source, and the deletions that wait for a decision, with a form for the
 * decision. The result is empty when there is neither.
 */
export async function heldDeletionsView(
  { sourceId, type }: { sourceId: string; type?: string | undefined },
  request: PageRequest,
): Promise<Html | ""> {
  if (type !== "OAI-PMH" && type !== "FOLDER") return "";
  const { api, texts } = request;
  const {
    heldDeletions,
    heldFiles,
    outage,
    wrongSizes = [],
  } = await api.get("/sources/{id}/harvest", {
    id: sourceId,
  });
  const sizes = wrongSizes.map(
    ({ lists, announced, read }) =>
      html`<p class="quiet">${texts.source.wrongSize[lists](announced, read)}</p>`,
  );
  const waiting = html`${sizes}${outage === undefined ? "" : html`<p class="warning">${texts.source.outage(outage)}</p>`}`;
  const holds = [heldDeletions, heldFiles].filter((held) => held !== undefined);
  if (holds.length === 0) return waiting;
  return html`${waiting}<section id="deletions">${holds.map((held) =>
    holdView(held, { sourceId, isFolder: type === "FOLDER" }, request),
  )}</section>`;
}

function holdView(
  { harvestId, documents, of, examples, unconfirmed, isReleased, areFiles }: Held,
  { sourceId, isFolder }: { sourceId: string; isFolder: boolean },
  request: PageRequest,
): Html {
  const { texts } = request;
  const { held, released, releaseConfirm } = areFiles
    ? {
        held: texts.source.heldFiles,
        released: texts.source.releasedFiles,
        releaseConfirm: texts.source.releaseFilesConfirm,
      }
    : texts.source;
  const decide = (decision: "release" | "drop", label: string, confirm: { confirm?: string } = {}) =>
    action({
      ...{ request, to: pathOf`/console/sources/${sourceId}/deletions`, label, ...confirm },
      fields: { decision, harvest: harvestId, ...(areFiles && { files: "true" }) },
    });
  const actions = html`<div class="actions">${
    isReleased ? "" : decide("release", texts.source.release, { confirm: releaseConfirm(documents) })
  }${decide("drop", texts.source.drop)}</div>`;
  return html`<p class="warning">${held(documents, of)}</p>
${
  unconfirmed === undefined
    ? ""
    : html`<p>${isFolder ? texts.source.emptied : texts.source.unconfirmed(unconfirmed)}</p>
`
}<ul>${examples.map((identifier) => html`<li>${identifier}</li>`)}</ul>
${isReleased ? html`<p>${released}</p>` : ""}
${mayActAs(request.caller.role, "operator") ? actions : ""}`;
}

/**
 * Decides on held deletions. The form names the deletions that were shown, so that the deletions of a later list are
 * not included in the decision.
 */
export const decideDeletionsPage: Page = {
  method: "POST",
  path: "/console/sources/{id}/deletions",
  audience: "operator",
  section: "sources",
  answer: async ({ api, params, form, texts }) => {
    const id = params.id ?? "";
    const decision = form.decision === "release" ? "release" : "drop";
    const done = await api.send(
      "POST /sources/{id}/harvest/deletions",
      { id },
      { harvestId: form.harvest ?? "", decision },
    );
    if (!done.ok) throw new ApiRefusal(done.problem);
    const { released, dropped, releasedFiles, droppedFiles } = texts.source;
    const [ifReleased, ifDropped] =
      form.files === "true" ? [releasedFiles, droppedFiles] : [released, dropped];
    const text = decision === "release" ? ifReleased : ifDropped;
    return { redirect: pathOf`/console/sources/${id}`, notice: { text } };
  },
};
