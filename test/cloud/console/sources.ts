import { describe, expect, it } from "vitest";
import { expectFit, type Visitor } from "./visitor.ts";

/** Sources: find one, add one from its address, look at what it would deliver, change it. */
export function sourceCases(open: () => Visitor): void {
  describe("Sources", () => {
    it("the list is filtered and walked by the keyboard alone", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console/sources");
      await visitor.tabTo(/^q$/);
      await visitor.tabTo(/^q$/);
      await page.keyboard.type("lathe");
      await visitor.press("Enter");
      await page.waitForURL(/q=lathe/);
      await visitor.press("ArrowDown", "Enter");
      await page.waitForURL(/\/console\/sources\/demo-journal/);
    });

    it("CSV → what the filter leaves, with what the columns say", async () => {
      const { page, cloud } = open();
      const answer = await page.request.get(`${cloud.apiUrl}/console/sources?q=demo-journal&format=csv`);
      const lines = (await answer.text()).trim().split("\r\n");
      expect(lines).toHaveLength(2);
      expect(lines[1]).toContain("demo-journal,active,RSS,live");
    });

    it("an address that is none → an error at its field and at the top, and what was typed stays", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console/sources/add");
      await page.getByLabel("Address").fill("https://x.invalid/a b");
      await page.getByLabel("Group").fill("no such group");
      await visitor.follow(page.getByRole("button", { name: "Detect" }));
      const alert = page.getByRole("alert");
      await alert.getByRole("link").click();
      expect(await page.evaluate("document.activeElement.getAttribute('aria-invalid')")).toBe("true");
      expect(await page.getByLabel("Group").inputValue()).toBe("no such group");
    });

    it("a source is added by the keyboard alone", async () => {
      const visitor = open();
      const { page, site } = visitor;
      await visitor.visit("/console/sources/add");
      await visitor.tabTo(/^url$/);
      await page.keyboard.type(`${site.origin}/feed.xml`);
      await visitor.press("Enter");
      await page.getByLabel("Id", { exact: true }).waitFor();
      await visitor.tabTo(/^sourceId$/);
      await page.keyboard.press("Control+A");
      await page.keyboard.type("by-keyboard");
      await visitor.tabTo("Save");
      await visitor.press("Enter");
      await page.getByRole("status").waitFor();
      const { status } = await visitor.ask("GET", "/sources/by-keyboard");
      expect(status).toBe(200);
      await visitor.ask("DELETE", "/sources/by-keyboard");
    });

    it("a change is undone from its notice", async () => {
      const visitor = open();
      const { page } = visitor;
      const delay = async () =>
        (await visitor.ask("GET", "/sources/demo-journal")).body as { throttleMs?: number };
      const { throttleMs } = await delay();
      await visitor.visit("/console/sources/demo-journal");
      await page.getByLabel(/Delay between/).fill("1234");
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      await page.getByRole("status").waitFor();
      expect(await delay()).toMatchObject({ throttleMs: 1234 });
      await visitor.follow(page.getByRole("button", { name: "Undo" }));
      await page.getByRole("status").waitFor();
      expect((await delay()).throttleMs).toBe(throttleMs);
    });

    it("settings that somebody else changed meanwhile → not overwritten, and what was typed stays", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console/sources/demo-journal");
      await visitor.ask("PATCH", "/sources/demo-journal", { throttleMs: 77 });
      await page.getByLabel(/Delay between/).fill("99");
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      expect(await page.getByRole("alert").innerText()).toContain(
        "Someone else has changed this since you opened the page",
      );
      expect(await page.getByLabel(/Delay between/).inputValue()).toBe("99");
      expect((await visitor.ask("GET", "/sources/demo-journal")).body).toMatchObject({ throttleMs: 77 });
      await visitor.ask("PATCH", "/sources/demo-journal", { throttleMs: null });
    });

    it("a configuration is compared before it is imported", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console/sources/import");
      await page.getByLabel("zotero_harvester.conf").fill("[Broken\n");
      await visitor.follow(page.getByRole("button", { name: "Compare" }));
      await page.getByRole("alert").waitFor();
      expect(await page.getByLabel("zotero_harvester.conf").inputValue()).toBe("[Broken\n");
    });

    it("a field that is lost → named on Today and on the page of the source, and accepted by the keyboard alone", async () => {
      const visitor = open();
      const { page } = visitor;
      const { qualityStore } = await import("../../../shared/deliver/stores/quality-store.ts");
      const quality = qualityStore();
      const known = await quality.drifts("demo-journal");
      if (known === undefined) throw new Error("the first run has no figures");
      const since = "2026-11-20T19:00:00.000Z";
      const shares = { now: { has: 3, of: 40 }, before: { has: 38, of: 40 } };
      const drift = { driftId: "d", field: "abstract" as const, since, foundIn: "r", foundAt: since };
      await quality.saveDrifts({ ...known, revision: known.revision + 1, drifts: [{ ...drift, ...shares }] });
      await visitor.visit("/console");
      const need =
        "520 of Lantern & Lathe: Journal of Imaginary Crafts: 3 of 40, was 38 of 40: its pages have changed";
      await visitor.follow(page.getByRole("link", { name: need }));
      await expectFit(visitor, new URL(page.url()).pathname);
      await visitor.tabTo("This is normal now");
      await visitor.press("Enter");
      await page.getByRole("status").waitFor();
      expect(await page.locator("main").innerText()).toContain("accepted the lower share as normal");
      await visitor.follow(page.getByRole("button", { name: "Undo" }));
      expect(await page.locator("main").innerText()).toContain("abstract (520): 3 of 40, was 38 of 40.");
      await visitor.follow(page.getByRole("button", { name: "This is normal now" }));
    });

    it.each([
      "/console/sources",
      "/console/sources/demo-journal",
      "/console/sources/demo-journal/quality",
      "/console/sources/add",
      "/console/sources/import",
    ])("%s is fit for people", (path) => expectFit(open(), path));
  });
}
