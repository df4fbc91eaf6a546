import { html } from "hono/html";
import { mayActAs } from "../../api/role.ts";
import type { Answer } from "../../api/route-table.ts";
import { withQuery } from "../../console/api.ts";
import type { Page, PageRequest } from "../../console/page.ts";
import type { Column } from "../../console/parts/column.ts";
import { matchesFilter, wholeList } from "../../console/parts/table.ts";

type Recipe = Answer<"GET /recipes">["recipes"][number];

/** The recipes by which pages of platforms are read. */
const recipes: Page = {
  method: "GET",
  path: "/console/recipes",
  audience: "viewer",
  section: "sources",
  answer: async (request) => {
    const { api, texts, caller } = request;
    const all = await api.all("/recipes", "recipes", { limit: 1000 });
    return wholeList({
      request,
      title: texts.recipes.title,
      fileName: "recipes.csv",
      caption: texts.recipes.title,
      columns: columns(request),
      rows: all.filter(({ id, name = "", hosts }) => matchesFilter(request, id, name, ...hosts)),
      link: ({ id }) => withQuery("/console/recipes/edit", { id }),
      empty: "",
      filter: { label: texts.recipes.filter },
      around: (shown) => html`
<p><a href="/console/sources">${texts.sources.title}</a></p>
<div class="heading"><h1>${texts.recipes.title}</h1>
<div class="actions">${mayActAs(caller.role, "operator") ? html`<a class="button main" href="/console/recipes/edit">${texts.recipes.add}</a>` : ""}</div></div>
<p>${texts.recipes.explanation}</p>${shown}`,
    });
  },
};

function columns({ texts }: PageRequest): Column<Recipe>[] {
  const { recipes: words } = texts;
  return [
    { head: words.id, cell: ({ id }) => id },
    { head: words.name, cell: ({ name }) => name ?? "" },
    { head: words.hosts, cell: ({ hosts }) => hosts.join(", ") },
    { head: words.origin, cell: ({ origin }) => words.origins[origin] },
    {
      head: words.proof,
      cell: ({ proof, problem }) =>
        problem === undefined ? words.proofs[proof] : html`<span class="error">${problem}</span>`,
      csv: ({ proof, problem }) => problem ?? words.proofs[proof],
    },
  ];
}

export const recipePages: readonly Page[] = [recipes];
