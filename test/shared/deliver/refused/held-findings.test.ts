import { expect, it } from "vitest";
import { releaseRecord, revalidate } from "../../../../shared/deliver/refused/revalidate.ts";
import { compileRules } from "../../../../shared/deliver/validation/rule-set.ts";
import type { OriginFinding } from "../../../../shared/records/origin/origin-finding.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { type Article, deliver, deliveredTitles, harvested } from "../run-world.ts";

const finding: OriginFinding = {
  ruleId: "witnesses-disagree",
  tag: "264",
  reason: "year 2014: page; feed: 2026",
};

/** Delivers an article with this finding. */
async function delivered(found: OriginFinding, more: Partial<Article> = {}): Promise<MemoryPorts> {
  const ports = new MemoryPorts();
  harvested(ports, "run", [{ id: "a", urls: ["https://j.example/a"], ...more }]);
  for (const [key, document] of ports.documentOutcomes)
    ports.documentOutcomes.set(key, { ...document, originFindings: [found] } as typeof document);
  await deliver("run", ports);
  return ports;
}

const refusedOf = (ports: MemoryPorts) => [...ports.refusedByKey.values()];

it("witnesses that disagree, by default → told, and delivered", async () => {
  const ports = await delivered(finding);
  expect(deliveredTitles(ports)).toEqual(["On a"]);
  expect(refusedOf(ports)).toEqual([]);
});

it("a finding that holds → refused with it, also when the record breaks rules", async () => {
  const held = { ...finding, isHeld: true as const };
  const { isHeld: _held, ...expected } = held;
  const ports = await delivered(held);
  expect(deliveredTitles(ports)).toEqual([]);
  expect(refusedOf(ports)).toMatchObject([{ findings: [expected] }]);
  expect(refusedOf(await delivered(held, { title: "" }))).toMatchObject([
    { findings: [expected, { ruleId: "missing-title" }] },
  ]);
});

it("a finding that holds, of a record without volume and issue → it waits for these first", async () => {
  const ports = await delivered({ ...finding, isHeld: true }, { isOnlineFirst: true });
  expect(refusedOf(ports)).toEqual([]);
});

it("a held record that is validated again → held still, until an operator releases it", async () => {
  const ports = await delivered({ ...finding, isHeld: true });
  const [record] = refusedOf(ports);
  if (record === undefined) throw new Error("nothing was refused");
  expect(await revalidate([record], compileRules([]), ports)).toEqual(["delinquent"]);
  expect(await releaseRecord(record, "operator", ports)).toBe("released");
  harvested(ports, "next", []);
  await deliver("next", ports);
  expect(deliveredTitles(ports)).toEqual(["On a"]);
});
