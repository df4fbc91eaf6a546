import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { parseInput } from "../../core/schema-problems.ts";
import { withoutCredentials } from "../../core/url-credentials.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { RequestQueue } from "../../web/request/request.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import { loadChain } from "../check/load-chain.ts";
import { compileRule, type LinkRule, linkRule, throttleOf } from "../rule/rule.ts";
import { type Judgement, judgeLink } from "../verdict/verdict.ts";
import { type RuleParts, tryParts } from "./rule-parts.ts";

/** The judgement of a check by the rule, and the result of each part. */
export interface RuleTestResult extends Judgement {
  parts: RuleParts;
}

/** A rule tried on a live page before it is saved. */
export interface RuleTest {
  testId: string;
  url: string;
  rule: LinkRule;
  requestedAt: string;
  /** Absent until the response has been judged. */
  result?: RuleTestResult;
}

export const ruleTestInput = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .max(8192)
    .overwrite(withoutCredentials),
  rule: linkRule.prefault({}),
});
const ruleTestContext = z.object({ testId: z.string(), rule: linkRule });

/**
 * Requests the page that a rule is tried on. The gate may take a while: the result is fetched by the test's id.
 * @throws InputError that names the problem with the URL or the rule
 */
export async function requestRuleTest(
  input: unknown,
  ports: {
    tests: Pick<RuleTestStore, "create">;
    requests: RequestQueue;
    clock: Clock;
    newId(): string;
  },
): Promise<RuleTest> {
  const { url, rule } = parseInput(ruleTestInput, input);
  const test = { testId: ports.newId(), url, rule, requestedAt: ports.clock.now().toISOString() };
  await ports.tests.create(test);
  await ports.requests.send([
    {
      id: test.testId,
      kind: "rule-test",
      url,
      ...throttleOf(rule),
      obeyRobots: false,
      bodyPolicy: (rule.xpath ?? "").trim() !== "" ? "markup" : "discard",
      context: { testId: test.testId, rule },
    },
  ]);
  return test;
}

/** Judges the page by the rule, and stores the result. */
export async function finishRuleTest(
  response: InboundResponse,
  ports: { tests: Pick<RuleTestStore, "finish">; bodies: BodyReader },
): Promise<void> {
  const { testId, rule } = parseInput(ruleTestContext, response.request.context);
  const chain = await loadChain(response, ports.bodies);
  const compiled = compileRule(rule);
  await ports.tests.finish(testId, { ...judgeLink(chain, compiled), parts: tryParts(chain, compiled) });
}

export interface RuleTestStore {
  create(test: RuleTest): Promise<void>;
  finish(testId: string, result: RuleTestResult): Promise<void>;
  get(testId: string): Promise<RuleTest | undefined>;
}
