import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import { ApiRefusal, pathOf } from "../../console/api.ts";
import type { Html, Page, PageRequest } from "../../console/page.ts";
import { action } from "../../console/parts/action.ts";

/** What `GET /sources/{id}/harvest` says aboutdeletions. */
interface HeldDeletions {
  harvestId: string;
  documents: number;
  of: number;
  examples: string[];
  isReleased?: true;
}

/** The deletions of a source that wait for a decision, with the decision; empty when there are none. */
export async function heldDeletionsView(
  { sourceId, type }: { sourceId: string; type: string },
  request: PageRequest,
): Promise<Html | ""> {
  if (type !== "OAI-PMH") return "";
  const { api, texts } = request;
  const harvest = await api.get<{ heldDeletions?: HeldDeletions }>(pathOf`/sources/${sourceId}/harvest`);
  const held = harvest.heldDeletions;
  if (held === undefined) return "";
  const { harvestId, documents, of, examples, isReleased } = held;
  const decide = (decision: "release" | "drop", label: string, confirm: { confirm?: string } = {}) =>
    action({
      ...{ request, to: pathOf`/console/sources/${sourceId}/deletions`, label, ...confirm },
      fields: { decision, harvest: harvestId },
    });
  const actions = html`<div class="actions">${
    isReleased
      ? ""
      : decide("release", texts.source.release, { confirm: texts.source.releaseConfirm(documents) })
  }${decide("drop", texts.source.drop)}</div>`;
  return html`<section id="deletions"><p class="warning">${texts.source.held(documents, of)}</p>
<ul>${examples.map((identifier) => html`<li>${identifier}</li>`)}</ul>
${isReleased ? html`<p>${texts.source.released}</p>` : ""}
${mayActAs(request.caller.role, "operator") ? actions : ""}</section>`;
}

/** Decides on held deletions. What was seen is named, so that a later list's deletions are not decided along. */
export const decideDeletionsPage: Page = {
  method: "POST",
  path: "/console/sources/{id}/deletions",
  audience: "operator",
  section: "sources",
  answer: async ({ api, params, form, texts }) => {
    const id = params.id ?? "";
    const decision = form.decision === "release" ? "release" : "drop";
    const done = await api.send("POST", pathOf`/sources/${id}/harvest/deletions`, {
      harvestId: form.harvest ?? "",
      decision,
    });
    if (!done.ok) throw new ApiRefusal(done.problem);
    const text = decision === "release" ? texts.source.released : texts.source.dropped;
    return { redirect: pathOf`/console/sources/${id}`, notice: { text } };
  },
};
