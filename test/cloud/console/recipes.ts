import { describe, expect, it } from "vitest";
import { expectFit, type Visitor } from "./visitor.ts";

/** Recipes: tried on a page before they are saved, replaced, taken back. */
export function recipeCases(open: () => Visitor): void {
  describe("Recipes", () => {
    const recipe = 'name = "Bees"\nhosts = ["bees.example"]\n[fields]\nvolume = { css = ".v" }\n';

    it("a recipe is tried on the text of a page, saved, listed, and undone", async () => {
      const visitor = open();
      const { ask, page } = visitor;
      await visitor.visit("/console/sources");
      await visitor.follow(page.getByRole("link", { name: "Recipes" }));
      await expectFit(visitor, "/console/recipes");
      await visitor.follow(page.getByRole("link", { name: "Add a recipe" }));
      await page.getByLabel("Id", { exact: true }).fill("bees");
      await page.getByLabel("Recipe (TOML)").fill(recipe);
      await page.getByLabel("Text of the page (HTML)").fill("<title>On Bees</title><p class=v>Vol. 12</p>");
      await visitor.follow(page.getByRole("button", { name: "Try" }));
      await page.getByRole("heading", { name: "What the recipe reads" }).waitFor();
      const row = page.getByRole("row").filter({ hasText: "css .v" });
      expect(await row.innerText()).toMatch(/volume\s+12\s/);
      expect(await page.getByLabel("Recipe (TOML)").inputValue()).toBe(recipe);
      expect((await ask("GET", "/recipes/bees")).status).toBe(404);
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      expect(await page.getByRole("status").innerText()).toContain("The recipe bees is saved");
      expect((await ask("GET", "/recipes/bees")).body).toMatchObject({ origin: "own", toml: recipe });
      await visitor.follow(page.getByRole("button", { name: "Undo" }));
      await page.getByRole("status").waitFor();
      expect((await ask("GET", "/recipes/bees")).status).toBe(404);
    });

    it("a wrong recipe → the error names its field; a built-in one replaced by another meanwhile → both versions", async () => {
      const visitor = open();
      const { ask, page } = visitor;
      await visitor.visit("/console/recipes/edit?id=acs");
      await page.getByLabel("Recipe (TOML)").fill(recipe.replace("css", "cs"));
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      expect(await page.getByRole("alert").innerText()).toContain("fields.volume.0.cs");
      await ask("PUT", "/recipes/acs", { toml: recipe });
      await page.getByLabel("Recipe (TOML)").fill(recipe.replace(".v", ".w"));
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      expect(await page.getByRole("alert").innerText()).toContain('css = ".v"');
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      expect((await ask("GET", "/recipes/acs")).body).toMatchObject({ origin: "changed" });
      await visitor.follow(page.getByRole("button", { name: "Delete" }));
      expect((await ask("GET", "/recipes/acs")).body).toMatchObject({ origin: "built-in" });
    });
  });
}
