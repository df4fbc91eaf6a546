import { expect, it } from "vitest";
import type { ConvertedDocument } from "../../../../shared/records/runs/run.ts";
import { type Site, worldOf } from "./site-world.ts";

const site: Site = {
  "/feed": {
    body: '<rss version="2.0"><channel><title>F</title><item><title>On bees</title><link>SITE/1</link></item></channel></rss>',
    contentType: "application/rss+xml",
  },
  "/1": `<title>On bees</title><meta name="citation_title" content="On bees"><meta name="citation_author" content="Pell, Ottoline">
    <meta name="citation_volume" content="12"><meta name="citation_date" content="2014"><p class=seen>4711</p><p class=i>3</p>`,
};

/** The record of a harvest with these recipes of operators. */
async function harvestWith(recipes: Record<string, string>) {
  const { world, add } = await worldOf({ site });
  for (const [id, toml] of Object.entries(recipes)) world.memory.recipesById.set(id, toml);
  add({ url: "/feed" });
  const { documents } = await world.harvest();
  const [document] = documents as ConvertedDocument[];
  return world.memory.recordsById.get(document?.recordId ?? "")?.provenance ?? [];
}

const recipe =
  'name = "Bees"\nhosts = ["*"]\noverrides = ["volume"]\n[fields]\nvolume = { css = ".seen" }\nissue = { css = ".i" }\n';

it("a recipe that takes the number of readers for the volume → the record names it, and what it replaced", async () => {
  const provenance = await harvestWith({ bees: recipe });
  expect(provenance).toContainEqual({
    field: "volume",
    value: "4711",
    witness: "page",
    recipe: "bees",
    others: [{ witness: "page", value: "12" }],
  });
  expect(provenance).toContainEqual({
    field: "issue",
    value: "3",
    witness: "page",
    recipe: "bees",
    others: [],
  });
  expect(provenance.find(({ field }) => field === "title")).not.toHaveProperty("recipe");
});

it("the recipe is taken back → the next conversion has the volume of the page", async () => {
  const provenance = await harvestWith({});
  expect(provenance).toContainEqual({ field: "volume", value: "12", witness: "page", others: [] });
  expect(provenance.some(({ recipe: id }) => id !== undefined)).toBe(false);
});
