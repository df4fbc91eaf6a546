import { truncateText } from "../../core/truncate-text.ts";
import { readOaiAnswer } from "../../formats/oai/answer.ts";
import type { listRequest } from "../../formats/oai/list-state.ts";
import type { ResponseOutcome } from "../../web/request/response.ts";
import { type Checkup, type Step, withFound } from "./checkup.ts";
import { judgeTransport } from "./judge-transport.ts";
import { ratedWish } from "./rate-metadata.ts";
import { identifyStep } from "./steps/identify.ts";
import { listStep } from "./steps/list.ts";
import { formatsStep, setsStep } from "./steps/offers.ts";
import { sampleStep } from "./steps/sample.ts";
import { inventedTokenStep, repeatedTokenStep } from "./steps/tokens.ts";
import { badArgumentStep, identifiersStep, inventedRecordStep, listedRecordStep } from "./steps/verbs.ts";
import { dayStep, secondsStep } from "./steps/windows.ts";

const steps: readonly Step[] = [
  identifyStep,
  formatsStep,
  setsStep,
  listStep,
  repeatedTokenStep,
  inventedTokenStep,
  listedRecordStep,
  inventedRecordStep,
  identifiersStep,
  dayStep,
  secondsStep,
  badArgumentStep,
  sampleStep,
];

/** Requests in a row without a usable response, after which a check stops: the repository is down, or none. */
const maxUnanswered = 4;

/** The next request of a check; undefined at its end. */
export function nextCheckRequest(checkup: Checkup): ReturnType<typeof listRequest> | undefined {
  return checkup.end === undefined ? steps[checkup.step]?.request(checkup) : undefined;
}

/**
 * The check after the response to its next request.
 * @param body empty when the response had none
 */
export function followCheckup(
  checkup: Checkup,
  { outcome, body }: { outcome: ResponseOutcome; body: Uint8Array },
  now: Date,
): Checkup {
  const answer = readOaiAnswer(outcome, body, ratedWish);
  const { facts, found = [], isAgain } = steps[checkup.step]?.read(checkup, answer, now) ?? {};
  const unanswered = answer.type === "unusable" ? checkup.unanswered + 1 : 0;
  const next: Checkup = {
    ...checkup,
    ...facts,
    requests: checkup.requests + 1,
    unanswered,
    findings: withFound(checkup.findings, [...judgeTransport(outcome, answer), ...found]),
  };
  const isRefused = answer.type === "unusable" && answer.cause === "refused";
  if (answer.type === "unusable" && (isRefused || unanswered >= maxUnanswered))
    return { ...next, end: { type: "stopped", reason: truncateText(answer.reason) } };
  return isAgain ? next : toNextStep(next);
}

/** The check at its next step that has something to ask. */
function toNextStep(checkup: Checkup): Checkup {
  for (let step = checkup.step + 1; step < steps.length; step += 1) {
    const at = { ...checkup, step };
    if (steps[step]?.request(at) !== undefined) return at;
  }
  return { ...checkup, step: steps.length, end: { type: "finished" } };
}
