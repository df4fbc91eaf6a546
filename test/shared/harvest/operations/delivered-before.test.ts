import { describe, expect, it } from "vitest";
import { article, deliveredBefore, feed, worldOf } from "./site-world.ts";

describe("what was delivered before", () => {
  it.each<[string, string]>([
    ["its address", "url:HOST/1"],
    ["the DOI in its address", "doi:10.1234/abc"],
  ])("known by %s → not requested", async (_how, key) => {
    const path = key.startsWith("doi") ? "/doi/10.1234/abc" : "/1";
    const { world, host, server, add } = await worldOf({ site: { "/feed": feed(path) }, translations: {} });
    add({ url: "/feed" });
    deliveredBefore(world, key.replace("HOST", host.hostKey));
    expect((await world.harvest()).sources).toMatchObject([{ known: { delivered: 1 }, requested: 0 }]);
    expect(server?.requests).toEqual([]);
  });

  it.each(["error", "reset"] as const)("in state %s → requested again", async (state) => {
    const { world, host, add } = await worldOf({ site: { "/feed": feed("/1"), "/1": article("One") } });
    add({ url: "/feed" });
    deliveredBefore(world, `url:${host.hostKey}/1`, state);
    expect((await world.harvest()).documents).toMatchObject([{ state: "converted", title: "One" }]);
  });
});
