import { beforeEach, describe, expect, it } from "vitest";
import { ruleTrialSubject } from "../../../../shared/deliver/routes/rule-trial-routes.ts";
import { ruleKey, validationRule } from "../../../../shared/deliver/validation/rule.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { deliver, harvested, ordinary } from "../run-world.ts";

let memory: MemoryPorts;
beforeEach(async () => {
  memory = new MemoryPorts();
  memory.sourcesById.set("source", {} as never);
  harvested(memory, "live-20261119T190000Z", [
    ...ordinary,
    { id: "d", urls: ["https://j.example/d"], title: "" },
  ]);
  await deliver("live-20261119T190000Z", memory);
});

async function attempt(body: object) {
  const app = serve([ruleTrialSubject], memory);
  const answer = await app.request("/validation-rules/try", { method: "POST", body: JSON.stringify(body) });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const strict = { tag: "245", subfield: "a", presence: "always", regex: "On [bc]$" };
const other = { tag: "936", subfield: "d", presence: "sometimes" };

describe("POST /validation-rules/try", () => {
  it("a stricter rule → the records that it would refuse, with the reason; nothing is stored", async () => {
    const stored = [...memory.validationRules];
    const { body } = await attempt({ put: [strict, other] });
    expect(body).toMatchObject({ tried: 4, refusedBefore: 1, refusedAfter: 2 });
    expect(body.changed).toMatchObject([
      { recordId: "a", before: "valid", after: "delinquent", findings: [{ ruleId: "contents-mismatch" }] },
    ]);
    expect([...memory.validationRules]).toEqual(stored);
  });

  it("a rule removed → the records that it would no longer refuse", async () => {
    for (const rule of [strict, other].map((each) => validationRule.parse(each)))
      memory.validationRules.set(ruleKey(rule), rule);
    const { body } = await attempt({
      remove: [{ tag: "245", subfield: "a" }],
      put: [{ ...strict, regex: null }],
    });
    expect(body.changed).toMatchObject([
      { recordId: "a", before: "delinquent", after: "valid", findings: [] },
    ]);
  });

  it("fewer records, or one source → these alone, the latest run's first, each once", async () => {
    memory.now = new Date("2026-11-20T19:00:00Z");
    harvested(memory, "live-20261120T190000Z", [{ id: "a", urls: [], title: "Off a" }]);
    const run = memory.runsById.get("live-20261120T190000Z");
    if (run !== undefined) memory.runsById.set(run.runId, { ...run, startedAt: "2026-11-20T19:00:01.000Z" });
    await deliver("live-20261120T190000Z", memory);
    const one = await attempt({ put: [strict, other], last: 1 });
    expect(one.body).toMatchObject({ tried: 1, changed: [{ recordId: "a", title: "Off a" }] });
    expect((await attempt({ put: [other], source: "source" })).body.tried).toBe(4);
  });

  it.each([
    [{ source: "none" }, /^source: .*"none"/],
    [{ put: [{ tag: "245" }] }, /^put\.0\./],
    [{ last: 501 }, /^last: .*501/],
  ])("%j → 400", async (body, says) => {
    const answer = await attempt(body);
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringMatching(says)]);
  });
});
