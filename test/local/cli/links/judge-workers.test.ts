import { afterAll, describe, expect, it } from "vitest";
import { JudgeWorkers } from "../../../../local/cli/links/judge-workers.ts";
import { compileRule } from "../../../../shared/links/rule/rule.ts";
import type { ChainOutcome } from "../../../../shared/links/verdict/chain-outcome.ts";
import { judgeLink } from "../../../../shared/links/verdict/verdict.ts";

const rule = { active: true, xpath: "count(//h1) = 0 or //p[2]", statusCodes: "30." };

/** Pages with and without a hit, an empty one, and links that need no parsing. */
function chains(count: number): ChainOutcome[] {
  const bodies = ["<h1>A</h1>", "<p>A</p>", "<h1>A</h1><p>1</p><p>2</p>", "", "<h1>ä</h1>"];
  return Array.from({ length: count }, (_, index) => ({
    type: "answered" as const,
    hops: [{ url: `https://a.example/${index}`, status: index % 7 === 0 ? 404 : 200 }],
    headers: index % 11 === 0 ? { "content-type": "application/pdf" } : { "content-type": "text/html" },
    // A view into a larger memory, as bodies are.
    body: Buffer.from(`xx${bodies[index % bodies.length]}xx`).subarray(2, -2),
  }));
}

describe("JudgeWorkers", () => {
  const workers = new JudgeWorkers(compileRule(rule), 2);
  afterAll(() => workers.close());

  it("many pages → judged on threads as in this one, each link its own", async () => {
    const all = chains(400);
    const judged = all.map((chain) => workers.judge(chain));
    expect(judged.filter((each) => each instanceof Promise).length).toBeGreaterThan(200);
    expect(await Promise.all(judged)).toEqual(all.map((chain) => judgeLink(chain, compileRule(rule))));
  });

  it("few pages, or none that must be parsed → judged at once", async () => {
    const few = new JudgeWorkers(compileRule(rule), 2);
    expect(
      chains(20)
        .map((chain) => few.judge(chain))
        .some((each) => each instanceof Promise),
    ).toBe(false);
    const literal = new JudgeWorkers(compileRule({ xpath: '//p[@class="error"]' }), 2);
    expect(
      chains(400)
        .map((chain) => literal.judge(chain))
        .some((each) => each instanceof Promise),
    ).toBe(false);
    await Promise.all([few.close(), literal.close()]);
  });
});
