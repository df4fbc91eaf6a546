import { describe, expect, it } from "vitest";
import { configuration, journal } from "../../shared/records/sources/fixtures.ts";
import { expectFit, type Visitor } from "./visitor.ts";

/** What can be taken back: an import, and the pause of a host. */
export function takingBackCases(open: () => Visitor): void {
  describe("Taking back", () => {
    it("an import is compared, done, undone from its notice, and listed", async () => {
      const visitor = open();
      const { page, ask } = visitor;
      await visitor.visit("/console/sources/import");
      await page.getByLabel("zotero_harvester.conf").fill(configuration(journal));
      await visitor.follow(page.getByRole("button", { name: "Compare" }));
      await visitor.follow(page.getByRole("button", { name: "Import 4 changes" }));
      await page.getByRole("status").waitFor();
      expect((await ask("GET", "/sources/ixtheo-4711")).status).toBe(200);
      await visitor.follow(page.getByRole("button", { name: "Undo" }));
      expect(await page.getByRole("status").innerText()).toContain("The import is rolled back: 4 changes.");
      expect((await ask("GET", "/sources/ixtheo-4711")).status).toBe(404);
      expect(await page.locator("tbody tr").count()).toBe(2);
    });

    it("the latest import is taken back by the keyboard alone, after the page has said what will change", async () => {
      const visitor = open();
      const { page, ask } = visitor;
      await visitor.visit("/console/sources/versions");
      await visitor.tabTo("Roll back import 2");
      await visitor.press("Enter");
      await page.getByRole("heading", { name: "Roll back import 2" }).waitFor();
      expect(await page.locator("main").innerText()).toContain("source ixtheo-4711");
      await visitor.tabTo("Roll back import 2");
      await visitor.press("Enter");
      await page.getByRole("status").waitFor();
      expect((await ask("GET", "/sources/ixtheo-4711")).status).toBe(200);
      await ask("POST", "/config/versions/3/rollback");
    });

    it("a host is paused with a reason, and resumed", async () => {
      const visitor = open();
      const { page, ask, site } = visitor;
      const { host } = new URL(site.origin);
      const path = `/hosts/${encodeURIComponent(host)}`;
      await visitor.visit(`/console${path}`);
      await page.locator("summary", { hasText: "Pause" }).click();
      await page.getByLabel("Reason").fill("the publisher asked");
      await visitor.follow(page.getByRole("button", { name: "Pause" }));
      await page.getByRole("status").waitFor();
      expect(await page.locator("main").innerText()).toMatch(/Paused by .*anna.*: the publisher asked/);
      expect((await ask("GET", path)).body).toMatchObject({ paused: { reason: "the publisher asked" } });
      await expectFit(visitor, `/console${path}`);
      await visitor.follow(page.getByRole("button", { name: "Resume" }));
      await page.getByRole("status").waitFor();
      expect((await ask("GET", path)).body).not.toHaveProperty("paused");
    });

    it("the earlier imports are fit for people", () => expectFit(open(), "/console/sources/versions"));
  });
}
