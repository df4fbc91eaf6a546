import { describe, expect, it } from "vitest";
import { expectFit, type Visitor } from "./visitor.ts";

/** The morning: did it run, and why is an article missing? */
export function todayCases(open: () => Visitor): void {
  describe("Today", () => {
    it("why an article of the last run is missing → found in four clicks", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console");
      await visitor.follow(page.getByRole("link", { name: /unreachable/ }));
      await visitor.follow(page.getByRole("link", { name: /Lantern & Lathe/ }));
      await visitor.follow(page.getByRole("link", { name: "unreachable" }));
      const row = page.getByRole("row", { name: /Museum of Unfinished Stairs/ });
      expect(await row.innerText()).toContain("answered 404");
    });

    it("a run is started by the keyboard alone, and shown until it has ended", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console");
      await visitor.tabTo("Run now");
      await visitor.press("Enter");
      expect(await page.getByText("once.").isVisible()).toBe(true);
      await visitor.press("Tab", "Enter");
      await page.waitForURL(/\/console\/runs\/live-/);
      expect(await page.getByRole("status").innerText()).toContain("The run has started");
      await page.getByText("finished").first().waitFor();
    });

    it("is fit for people", () => expectFit(open(), "/console"));
  });
}
