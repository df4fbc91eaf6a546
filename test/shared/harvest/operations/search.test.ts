import { describe, expect, it } from "vitest";
import { deliveredBefore, item, posts, worldOf } from "./site-world.ts";

describe("a search", () => {
  const offered = { session: "Q", items: { "10.1234/x.1": 0, "10.1234/x.2": 1 } };

  it("the ISSN → what the server finds and was not delivered, each as a record", async () => {
    const { world, host, server, add } = await worldOf({
      site: {},
      translations: {
        "1111-1119": { status: 300, body: offered },
        "SELECT Q": { body: [item("/a/2", { DOI: "10.1234/x.2" }), { itemType: "note", note: "LF:" }] },
      },
    });
    add({ type: "APIQUERY", online: { issn: "1111-1119", ppn: "1" } });
    deliveredBefore(world, "doi:10.1234/x.1");
    const { documents } = await world.harvest();
    expect(posts(server, host)).toEqual([
      "/searchmultiple 1111-1119",
      `/searchmultiple ${JSON.stringify({ ...offered, items: { "10.1234/x.2": 1 } })}`,
    ]);
    expect(documents).toMatchObject([{ state: "converted", title: "Item /a/2" }]);
    expect(world.deliveries).toHaveLength(1);
  });

  it("no translation server → a failure that says so", async () => {
    const { world, add } = await worldOf({ site: {} });
    add({ type: "APIQUERY", online: { issn: "1111-1119", ppn: "1" } });
    expect((await world.harvest()).documents).toMatchObject([
      { state: "failed", reason: expect.stringContaining("no-translation-server") },
    ]);
  });
});
