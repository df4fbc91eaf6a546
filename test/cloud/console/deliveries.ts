import { describe, expect, it } from "vitest";
import { expectFit, type Visitor } from "./visitor.ts";

/** Deliveries: a file found by its day, downloaded, sent again; the archive searched and its states set. */
export function deliveryCases(open: () => Visitor): void {
  describe("Deliveries", () => {
    it("today's file is found by the calendar, and downloaded", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console");
      await visitor.follow(page.getByRole("link", { name: "Deliveries" }));
      await visitor.follow(page.locator("table.calendar a").last());
      await visitor.follow(page.getByRole("link", { name: /_zotero_.*_001\.xml/ }));
      const address = await page.getByRole("link", { name: "Download" }).getAttribute("href");
      const file = await fetch(address ?? "");
      expect([file.status, await file.text()]).toEqual([200, expect.stringContaining("<collection")]);
    });

    it("a file is sent again by the keyboard alone, after the page has said what will happen", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console/deliveries");
      await visitor.press("ArrowDown", "Enter");
      await page.waitForURL(/\/console\/deliveries\/./);
      await visitor.tabTo("Send again");
      await visitor.press("Enter");
      expect(await page.getByText("Sends the unchanged file").isVisible()).toBe(true);
      await visitor.press("Tab", "Enter");
      await page.getByText("The file is being sent").waitFor();
      // The demo's group has no receiver.
      await page.getByText("it fetches its files from the bucket").waitFor();
    });

    it("the archive is searched by title, and the states of marked records are set after asking once", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console/archive");
      await page.getByLabel("DOI, URL, hash or title").fill("how to knit");
      await visitor.follow(page.getByRole("button", { name: "Filter" }));
      await page.getByLabel("Mark How to Knit a Ladder").check();
      await visitor.follow(page.getByRole("button", { name: "Deliver again" }));
      expect(await page.locator("main").innerText()).toContain("delivered again after its next harvest");
      await visitor.follow(page.getByRole("button", { name: "Deliver again" }));
      expect(await page.getByRole("status").innerText()).toContain("Deliver again: 1 record.");
      const found = await visitor.ask("GET", "/archive-titles?title=how%20to%20knit");
      expect(found.body).toMatchObject({ entries: [{ state: "reset" }] });
    });

    it.each(["10.5555/lantern.7.3.01", "https://doi.org/10.5555/LANTERN.7.3.01"])(
      "%s → its entry alone",
      async (doi) => {
        const { page, cloud } = open();
        await page.goto(`${cloud.apiUrl}/console/archive?q=${encodeURIComponent(doi)}`);
        expect(await page.locator("tbody tr").count()).toBe(1);
      },
    );

    it.each(["/console/deliveries", "/console/archive?q=the", "/console/archive"])(
      "%s is fit for people",
      (path) => expectFit(open(), path),
    );

    it("a file's page is fit for people", async () => {
      const visitor = open();
      await visitor.visit("/console/deliveries");
      const path = await visitor.page.locator("table[data-rows] tbody a").first().getAttribute("href");
      await expectFit(visitor, path ?? "");
    });
  });
}
