import { describe, expect, it } from "vitest";
import { expectFit, type Visitor } from "./visitor.ts";

/** Pages that are only looked at: hosts, mails, documents. */
export function lookCases(open: () => Visitor): void {
  describe("Hosts, mails and documents", () => {
    it("a host is found by the address of a page, with the keyboard alone", async () => {
      const visitor = open();
      const { page, site } = visitor;
      await visitor.visit("/console/hosts");
      await visitor.tabTo("host");
      await page.keyboard.type(`${site.origin}/feed.xml`);
      await visitor.press("Enter");
      await page.waitForURL("**/console/hosts/**");
      expect(await page.locator("main").innerText()).toContain("everything is allowed");
    });

    it("the report of the run is read as it was mailed", async () => {
      const visitor = open();
      await visitor.visit("/console/mails");
      const mail = visitor.page.locator("table a").first();
      const subject = await mail.innerText();
      await visitor.follow(mail);
      await visitor.page.locator("pre").waitFor();
      expect(await visitor.page.locator("main h1").innerText()).toBe(subject);
      expect((await visitor.page.locator("pre").innerText()).length).toBeGreaterThan(50);
    });

    it("the newest mail is opened with the keyboard alone", async () => {
      const visitor = open();
      await visitor.visit("/console/mails");
      const subject = await visitor.page.locator("table a").first().innerText();
      await visitor.press("ArrowDown", "Enter");
      await visitor.page.locator("pre").waitFor();
      expect(await visitor.page.locator("main h1").innerText()).toBe(subject);
    });

    it.each(["/console/hosts", "/console/mails", "/console/documents"])("%s is fit for people", (path) =>
      expectFit(open(), path),
    );

    it("on a phone → the section of the page is in sight", async () => {
      const visitor = open();
      const { page } = visitor;
      await page.setViewportSize({ width: 375, height: 800 });
      await visitor.visit("/console/mails");
      const box = await page.locator(".top nav [aria-current]").boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(375);
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    it("a host's page is fit for people", async () => {
      const visitor = open();
      await expectFit(visitor, `/console/hosts/${encodeURIComponent(new URL(visitor.site.origin).host)}`);
    });
  });
}
