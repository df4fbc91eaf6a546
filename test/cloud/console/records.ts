import { describe, expect, it } from "vitest";
import { expectFit, type Visitor } from "./visitor.ts";

/** Records: found by what one has of them, read as MARC and XML, ignored. */
export function recordCases(open: () => Visitor): void {
  describe("Records", () => {
    const idOf = async ({ ask }: Visitor) => {
      const { body } = await ask("GET", "/archive?doi=10.5555/lantern.7.3.01");
      return (body as { recordId: string }).recordId;
    };

    it.each([
      ["its DOI", "https://doi.org/10.5555/lantern.7.3.01"],
      ["its URL", "/article/how-to-knit-a-ladder"],
    ])("a record is found by %s, with the keyboard alone", async (_what, text) => {
      const visitor = open();
      const { page, site } = visitor;
      await visitor.visit("/console");
      await visitor.press("/");
      await page.keyboard.type(text.startsWith("/") ? site.origin + text : text);
      await visitor.press("Enter");
      await page.waitForURL(/\/console\/records\//);
      const marc = await page.locator("table.marc").innerText();
      expect(marc).toMatch(/245\s+00\s+\$a How to Knit a Ladder/);
    });

    it("a record is read as XML, one click away", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit(`/console/records/${await idOf(visitor)}`);
      await page.getByRole("link", { name: "XML", exact: true }).click();
      expect(await page.locator("pre").innerText()).toContain('<datafield tag="245"');
    });

    it("ignoring says exactly what will happen, and is done by the keyboard", async () => {
      const visitor = open();
      const id = await idOf(visitor);
      await visitor.visit(`/console/records/${id}`);
      await visitor.tabTo("Ignore");
      await visitor.press("Enter");
      expect(await visitor.page.getByText("never delivered again").isVisible()).toBe(true);
      await visitor.press("Tab", "Enter");
      await visitor.page.getByRole("status").waitFor();
      expect((await visitor.ask("GET", `/archive/${id}`)).body).toMatchObject({ state: "ignore" });
    });

    it("a name that nothing has → says what the box takes", async () => {
      const visitor = open();
      await visitor.visit("/console/search?q=no-such-thing");
      expect(await visitor.page.locator("main").innerText()).toContain("Nothing matches.");
    });

    it.each(["/console/records", "/console/search?q=lan"])("%s is fit for people", (path) =>
      expectFit(open(), path),
    );

    it("a record's page is fit for people", async () => {
      const visitor = open();
      await expectFit(visitor, `/console/records/${await idOf(visitor)}`);
    });
  });
}
