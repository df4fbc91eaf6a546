/**
 * A worker thread of `JudgeWorkers`. It judges the links that it receives, by the rule that it was started
 * with.
 */
import { parentPort, workerData } from "node:worker_threads";
import { compileRule, type LinkRule } from "../../../shared/links/rule/rule.ts";
import type { ChainOutcome } from "../../../shared/links/verdict/chain-outcome.ts";
import { judgeLink } from "../../../shared/links/verdict/verdict.ts";

const rule = compileRule(workerData as LinkRule);

parentPort?.on("message", ({ id, chain }: { id: number; chain: ChainOutcome }) => {
  parentPort?.postMessage({ id, judgement: judgeLink(chain, rule) });
});
