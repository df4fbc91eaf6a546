import { describe, expect, it } from "vitest";
import { expectFit, type Visitor } from "./visitor.ts";

/** Events: what happens appears by itself; filtered by type; opened to its detail with the keyboard. */
export function eventCases(open: () => Visitor): void {
  describe("Events", () => {
    const path = "/console/events";

    it("a source that is added → appears by itself, with its detail", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit(`${path}?type=source.new&q=tailed`);
      await page.getByText("Nothing matches the filter.").waitFor();
      const added = await visitor.ask("POST", "/sources", {
        sourceId: "tailed",
        title: "Tailed",
        type: "RSS",
        url: "https://tailed.example/feed",
        groupId: "Ingather",
      });
      expect(added.status).toBe(201);
      await page.getByText("source.new", { exact: true }).last().waitFor();
      await visitor.tabTo(/^source\.new$/);
      await visitor.press("Enter");
      expect(await page.getByText('"sourceId": "tailed"').isVisible()).toBe(true);
      await visitor.follow(page.getByRole("link", { name: "tailed" }));
      await page.waitForURL("**/console/sources/tailed");
    });

    it("by the API, page by page and filtered", async () => {
      const { ask } = open();
      const list = async (query: string) =>
        (await ask("GET", `/events?${query}`)).body as { events: { id: string }[]; next?: string };
      await ask("PATCH", "/sources/tailed", { title: "Tailed again" });
      const first = await list("limit=1&sourceId=tailed");
      const second = await list(`limit=1&sourceId=tailed&after=${encodeURIComponent(first.next ?? "")}`);
      expect([first.events.length, second.events.length]).toEqual([1, 1]);
      expect(second.events[0]?.id).not.toBe(first.events[0]?.id);
      const wrong = await ask("GET", "/events?after=yesterday");
      expect(wrong).toMatchObject({ status: 400, body: { field: "after" } });
    });

    it(`${path} is fit for people`, () => expectFit(open(), path));
  });
}
