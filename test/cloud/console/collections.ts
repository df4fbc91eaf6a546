import { describe, expect, it } from "vitest";
import { expectFit, type Visitor } from "./visitor.ts";

/** Collections: held and released with the keyboard, a rule tried on a live page and saved, the report of a day. */
export function collectionCases(open: () => Visitor): void {
  describe("Collections", () => {
    const path = "/console/collections/kept";
    const make = async ({ ask }: Visitor) => {
      const made = await ask("PUT", "/collections/kept", {
        title: "Kept links",
        rule: { throttleSeconds: 0 },
      });
      expect(made.status).toBe(200);
    };

    it("a collection is held with the keyboard alone, and the notice takes it back", async () => {
      const visitor = open();
      await make(visitor);
      await visitor.visit("/console/collections");
      await visitor.follow(visitor.page.getByRole("link", { name: "Kept links" }));
      await visitor.page.waitForURL(`**${path}`);
      await visitor.tabTo("Hold");
      await visitor.press("Enter");
      expect(await visitor.page.getByText("Suppresses the collection in searches").isVisible()).toBe(true);
      await visitor.tabTo("reason");
      await visitor.page.keyboard.type("The publisher moves");
      await visitor.press("Enter");
      await visitor.page.getByRole("status").waitFor();
      expect((await visitor.ask("GET", "/collections/kept")).body).toMatchObject({
        hold: true,
        held: { reason: "The publisher moves" },
      });
      expect(await visitor.page.locator("main").innerText()).toContain(": The publisher moves");
      await visitor.follow(visitor.page.getByRole("button", { name: "Undo" }));
      await visitor.page.waitForURL(`**${path}`);
      expect((await visitor.ask("GET", "/collections/kept")).body).toMatchObject({ hold: false });
    });

    it("a rule is tried on a live page; saved, it stays, and a wrong one is refused at its field", async () => {
      const visitor = open();
      const { page, site } = visitor;
      await make(visitor);
      await visitor.visit(path);
      await page.getByLabel("XPath on the page").fill("//h1");
      await page.getByLabel("A page to try it on").fill(`${site.origin}/article/how-to-knit-a-ladder`);
      await visitor.follow(page.getByRole("button", { name: "Try the rule" }));
      await page.getByText("matches: How to Knit a Ladder").waitFor();
      await visitor.follow(page.getByRole("link", { name: "Back to the collection" }));
      await page.getByLabel("Status", { exact: true }).fill("4(");
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      expect(await page.getByRole("alert").innerText()).toContain("Status");
      await page.getByLabel("Status", { exact: true }).fill("404");
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      await page.getByRole("status").waitFor();
      expect((await visitor.ask("GET", "/collections/kept")).body).toMatchObject({
        title: "Kept links",
        rule: { statusCodes: "404" },
      });
    });

    it("somebody else changes the rule meanwhile → both versions are shown; mine is kept, with a box unchecked", async () => {
      const visitor = open();
      const { page, ask } = visitor;
      const theirs = { title: "Kept links", rule: { finalUrl: "/gone" } };
      const ruleNow = async () => ((await ask("GET", "/collections/kept")).body as { rule: object }).rule;
      await make(visitor);
      await visitor.visit(path);
      await page.getByLabel("Final address").fill("/mine");
      await page.getByLabel("Check links").uncheck();
      expect((await ask("PUT", "/collections/kept", theirs)).status).toBe(200);
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      const rows = await page.getByRole("alert").locator("tbody tr").allInnerTexts();
      expect(rows.map((row) => row.replaceAll(/\s+/g, " "))).toEqual([
        "Final address /mine /gone",
        "Seconds between requests 0 empty",
        "Check links no yes",
      ]);
      expect(await ruleNow()).toMatchObject({ finalUrl: "/gone", active: true });
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      await page.getByRole("status").waitFor();
      expect(await ruleNow()).toMatchObject({ finalUrl: "/mine", active: false });
    });

    it.each(["/console/collections", path, "/console/link-report"])("%s is fit for people", async (each) => {
      await make(open());
      await expectFit(open(), each);
    });
  });
}
