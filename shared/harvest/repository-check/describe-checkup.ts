import type { NewSource } from "../../records/sources/source.ts";
import { proposeSource } from "../detect/propose-source.ts";
import type { Checkup } from "./checkup.ts";
import { type FindingId, findingKinds, type Severity, severities } from "./finding-kinds.ts";
import { proposeSettings } from "./propose-settings.ts";
import { type Rating, ratedFields } from "./rate-metadata.ts";

const maxTitleChars = 300;

/** What a check has found. */
export type CheckReport = ReturnType<typeof describeCheckup>;

/**
 * Describes a check: the findings, the worst ones first, the share of records with each field, and the proposed source
 * unless the address has neither identified itself nor listed a record.
 * @param stopped why it ends before its last request, unless it is finished
 */
export function describeCheckup(
  checkup: Checkup,
  { groupId, stopped }: { groupId: string; stopped?: string },
) {
  const { asked, identity, formats = [], sets, list, sample, end, requests } = checkup;
  const reason = end?.type === "finished" ? undefined : end === undefined ? stopped : end.reason;
  const { settings, reasons } = proposeSettings(checkup);
  const title = identity?.repositoryName.slice(0, maxTitleChars) || undefined;
  const isRepository = identity !== undefined || (list?.records ?? 0) > 0;
  const announced = list?.state.progress.announced;
  return {
    url: asked.baseUrl,
    complete: end?.type === "finished",
    ...(reason !== undefined && { reason }),
    requests,
    repository: {
      ...(title !== undefined && { name: title }),
      formats: formats.map(({ prefix }) => prefix),
      ...(sets && { sets }),
    },
    list: {
      pages: list?.state.pagesRead ?? 0,
      records: list?.records ?? 0,
      deleted: list?.deleted ?? 0,
      ...(announced !== undefined && { announced }),
      /** Whether it was read to its end. */
      whole: list?.completeness !== undefined && list.completeness !== "interrupted",
    },
    findings: describeFindings(checkup),
    metadata: [
      ...(list === undefined ? [] : [describeRating(asked.metadataPrefix, list.rating)]),
      ...(sample === undefined ? [] : [describeRating(sample.metadataPrefix, sample.rating)]),
    ].filter(({ records }) => records > 0),
    ...(isRepository && {
      proposal: {
        source: {
          ...proposeSource(asked.baseUrl, { title, groupId }),
          type: "OAI-PMH" as const,
          ...settings,
        } satisfies NewSource,
        reasons,
      },
    }),
  };
}

/** The worst severity of the findings; undefined without findings. */
export function worstSeverity({ findings }: Pick<Checkup, "findings">): Severity | undefined {
  return [...severities].reverse().find((each) => findings.some(({ id }) => severityOf(id) === each));
}

function describeFindings({ findings }: Checkup) {
  const rank = (id: FindingId) => severities.indexOf(severityOf(id));
  return findings
    .map(({ id, seen, times }) => ({ id, seen, times, ...findingKinds[id] }))
    .sort((a, b) => rank(b.id) - rank(a.id));
}

function severityOf(id: FindingId): Severity {
  return findingKinds[id].severity;
}

function describeRating(metadataPrefix: string, { records, ...counts }: Rating) {
  return { metadataPrefix, records, fields: ratedFields.map((field) => ({ field, records: counts[field] })) };
}
