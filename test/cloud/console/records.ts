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
      await visitor.follow(page.getByRole("link", { name: "XML", exact: true }));
      expect(await page.locator("pre").innerText()).toContain('<datafield tag="245"');
    });

    it("a record that was harvested again with another title → both versions' lines, beside each other", async () => {
      const visitor = open();
      const { body } = await visitor.ask("GET", "/archive?doi=10.5555/lantern.7.3.02");
      const { recordId } = body as { recordId: string };
      const { recordStore } = await import("../../../shared/adapters/records/record-store.ts");
      const records = recordStore();
      const stored = await records.get(recordId);
      if (stored === undefined) throw new Error("no such record");
      const marc = await records.loadMarc(stored.recordKey);
      const fields = marc.fields.filter(([tag]) => tag !== "245");
      const changed = {
        ...marc,
        fields: [...fields, ["245", "00", [["a", "Corrected"]]] as (typeof fields)[0]],
      };
      await records.resetDelivered(stored);
      const recordKey = await records.storeMarc(recordId, changed);
      const { deliveryFile: _file, ...again } = stored;
      await records.save({ ...again, state: "harvested", runId: "live-again", recordKey });
      await visitor.visit(`/console/records/${recordId}`);
      const main = visitor.page.locator("main");
      expect(await main.locator("ins").allInnerTexts()).toEqual(["245 00 $a Corrected"]);
      expect(await main.locator("del").count()).toBe(1);
      await expectFit(visitor, `/console/records/${recordId}`);
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
