import type { OaiAnswer } from "../../../formats/oai/answer.ts";
import { describeErrors } from "../../../formats/oai/completeness.ts";
import { isDatestamp } from "../../../formats/oai/datestamp.ts";
import { oaiRequestUrl } from "../../../formats/oai/request-url.ts";
import type { Checkup, Found, Step } from "../checkup.ts";
import { argumentsOf } from "./list.ts";

/** The day of a record. @see https://www.openarchives.org/OAI/openarchivesprotocol.html#SelectiveHarvestingandDatestamps */
export const dayStep: Step = {
  request: (checkup) => windowRequest(checkup, ""),
  read: (checkup, answer) => ({ found: judgeWindow(checkup, answer, "window-refused") }),
};

/** The same day in seconds, if the repository has them. */
export const secondsStep: Step = {
  request: (checkup) =>
    checkup.identity?.granularity.includes("hh") && !isInvalid(checkup)
      ? windowRequest(checkup, "T00:00:00Z")
      : undefined,
  read: (checkup, answer) => ({ found: judgeWindow(checkup, answer, "seconds-refused") }),
};

/** What the day has shown, the seconds do not show again. */
function isInvalid({ findings }: Checkup): boolean {
  return findings.some(({ id }) => id.startsWith("window-"));
}

function windowRequest({ asked, list }: Checkup, begin: string): { url: string } | undefined {
  const day = dayOf(list);
  if (day === undefined) return undefined;
  const window = { from: `${day}${begin}`, until: `${day}${begin.replace("00:00:00", "23:59:59")}` };
  return { url: oaiRequestUrl(asked.baseUrl, "ListRecords", { ...argumentsOf(asked), ...window }) };
}

function dayOf(list: Checkup["list"]): string | undefined {
  const { datestamp } = list?.example ?? {};
  return datestamp !== undefined && isDatestamp(datestamp) ? datestamp.slice(0, 10) : undefined;
}

function judgeWindow({ list }: Checkup, answer: OaiAnswer, refused: Found[0]): Found[] {
  if (answer.type === "unusable") return [[refused, answer.reason]];
  const { page } = answer;
  const day = dayOf(list) ?? "";
  if (page.errors.some(({ code }) => code !== "noRecordsMatch")) return [[refused, describeErrors(page)]];
  if (page.records.length === 0)
    return [["window-empty", `no record of ${day}, the day of ${list?.example?.identifier ?? ""}`]];
  const outside = page.records.find(({ datestamp }) => !datestamp.startsWith(day));
  if (outside === undefined) return [];
  return [["window-ignored", `${outside.identifier} of ${outside.datestamp} from ${day} until ${day}`]];
}
