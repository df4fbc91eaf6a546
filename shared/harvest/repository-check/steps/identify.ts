import { truncateText } from "../../../core/truncate-text.ts";
import { describeErrors } from "../../../formats/oai/completeness.ts";
import { isDatestamp } from "../../../formats/oai/datestamp.ts";
import type { OaiIdentity, OaiPage } from "../../../formats/oai/page.ts";
import { oaiRequestUrl } from "../../../formats/oai/request-url.ts";
import type { Checkup, Found, Step } from "../checkup.ts";

const deletedRecordValues = ["no", "transient", "persistent"];
const granularities = ["YYYY-MM-DD", "YYYY-MM-DDThh:mm:ssZ"];

/** The largest difference between two clocks that is not a fault. */
const maxClockMs = 300_000;

/** The first request of a check. */
export function identifyRequest({ asked }: Pick<Checkup, "asked">): { url: string } {
  return { url: oaiRequestUrl(asked.baseUrl, "Identify") };
}

/** Who the repository is. @see https://www.openarchives.org/OAI/openarchivesprotocol.html#Identify */
export const identifyStep: Step = {
  request: identifyRequest,
  read({ asked }, answer, now) {
    if (answer.type === "unusable") return {};
    const { page } = answer;
    const { identity } = page;
    const date = judgeResponseDate(page, now);
    if (identity === undefined) {
      const seen = page.errors.length > 0 ? describeErrors(page) : "the response has no Identify element";
      return { found: [["identify-unusable", seen], ...date] };
    }
    return {
      facts: { identity: bounded(identity) },
      found: [...judgeIdentity(identity, asked.baseUrl), ...date],
    };
  },
};

/** The state of a check is stored. */
function bounded(identity: OaiIdentity): OaiIdentity {
  const { adminEmails: _emails, compressions: _compressions, ...texts } = identity;
  const truncated = Object.entries(texts).map(([name, text]) => [name, truncateText(text)]);
  return { ...identity, ...Object.fromEntries(truncated), adminEmails: [], compressions: [] };
}

function judgeIdentity(identity: OaiIdentity, baseUrl: string): Found[] {
  const { protocolVersion, adminEmails, earliestDatestamp, deletedRecord, granularity } = identity;
  const found: Found[] = [];
  const required = {
    repositoryName: identity.repositoryName,
    baseURL: identity.baseUrl,
    protocolVersion,
    adminEmail: adminEmails[0] ?? "",
    earliestDatestamp,
    deletedRecord,
    granularity,
  };
  const missing = Object.entries(required).flatMap(([name, value]) => (value === "" ? [name] : []));
  if (missing.length > 0) found.push(["identify-incomplete", `without ${missing.join(", ")}`]);
  const isWrong = (value: string, isRight: boolean) => value !== "" && !isRight;
  if (isWrong(protocolVersion, protocolVersion === "2.0"))
    found.push(["protocol-version", `protocolVersion ${protocolVersion}`]);
  if (isWrong(identity.baseUrl, isSameAddress(identity.baseUrl, baseUrl)))
    found.push(["base-url", `baseURL ${identity.baseUrl}, requested ${baseUrl}`]);
  const wrongEmail = adminEmails.find((email) => isWrong(email, /^(?:mailto:)?[^\s@]+@[^\s@]+$/.test(email)));
  if (wrongEmail !== undefined) found.push(["admin-email", `adminEmail ${wrongEmail}`]);
  if (isWrong(deletedRecord, deletedRecordValues.includes(deletedRecord)))
    found.push(["deleted-record-value", `deletedRecord ${deletedRecord}`]);
  if (["no", "transient"].includes(deletedRecord))
    found.push(["deletions-not-kept", `deletedRecord ${deletedRecord}`]);
  if (isWrong(granularity, granularities.includes(granularity)))
    found.push(["granularity-value", `granularity ${granularity}`]);
  const isEarliestRight =
    isDatestamp(earliestDatestamp) &&
    (!granularities.includes(granularity) || earliestDatestamp.length === granularity.length);
  if (isWrong(earliestDatestamp, isEarliestRight))
    found.push(["earliest-datestamp", `earliestDatestamp ${earliestDatestamp}`]);
  return found;
}

function isSameAddress(stated: string, requested: string): boolean {
  const normal = (text: string) => URL.parse(text)?.href.replace(/^https?:|\/?(?:\?.*)?$/g, "") ?? text;
  return normal(stated) === normal(requested);
}

function judgeResponseDate({ responseDate }: OaiPage, now: Date): Found[] {
  if (responseDate === undefined || responseDate === "") return [["response-date", "no responseDate"]];
  const ms = Date.parse(responseDate);
  const isRight = Math.abs(ms - now.getTime()) <= maxClockMs;
  return isRight ? [] : [["response-date", `responseDate ${responseDate} at ${now.toISOString()}`]];
}
