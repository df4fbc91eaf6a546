import { pluralize } from "../../../shared/core/pluralize.ts";
import type { Preview, PreviewedRecord } from "../../../shared/deliver/validate/preview.ts";
import { adviseOnPrivate } from "../../private-host.ts";

/** The maximum number of records listed per warning. */
const maxExamples = 3;

/**
 * Formats the report of a source: one line per problem, then the counts.
 * @param allowPrivate whether `--allow-private` was given
 */
export function reportLines({ source, records, missed }: Preview, allowPrivate: boolean): string[] {
  const advise = (reason: string) => adviseOnPrivate(reason, allowPrivate);
  const count = (outcome: PreviewedRecord["outcome"]) =>
    records.filter((record) => record.outcome === outcome).length;
  return [
    ...(source?.reason === undefined ? [] : [`${source.title}: ${advise(source.reason)}`]),
    ...(source?.dropped ?? []).map(({ entry, reason }) => `${"dropped".padEnd(10)} ${entry}: ${reason}`),
    ...missed.map(
      ({ state, title, url, reason }) => `${state.padEnd(10)} ${nameOf({ title, url })}: ${advise(reason)}`,
    ),
    ...records
      .filter(({ outcome }) => outcome === "delinquent")
      .map(({ title, url, findings }) => `delinquent ${nameOf({ title, url })}: ${findings.join("; ")}`),
    ...warningLines(records),
    `${source?.entries ?? 0} listed, ${source?.requested ?? 0} requested: ${count("valid")} valid, ${count("online_first")} online-first, ${count("delinquent")} refused, ${missed.length} not converted`,
  ];
}

function nameOf({ title = "", url }: { title?: string | undefined; url: string }): string {
  return title === "" ? url : `${title} <${url}>`;
}

/** Groups equal warnings, each with a few example records. */
function warningLines(records: readonly PreviewedRecord[]): string[] {
  const all = records.flatMap(({ title, url, warnings }) =>
    warnings.map((warning) => ({ warning, what: nameOf({ title, url }) })),
  );
  return [...Map.groupBy(all, ({ warning }) => warning)].flatMap(([warning, given]) => {
    const more = given.length - maxExamples;
    const examples = given.slice(0, maxExamples).map(({ what }) => what);
    const lines = more > 0 ? [...examples, `and ${pluralize(more, "more record")}`] : examples;
    return lines.map((what) => `${"warning".padEnd(10)} ${what}: ${warning}`);
  });
}

/** Formats a record, one field per line. */
export function recordLines({ outcome, title, url, hash, findings, record }: PreviewedRecord): string[] {
  return [
    `${outcome === "online_first" ? "online-first" : outcome}: ${nameOf({ title, url })}`,
    ...findings.map((finding) => `  ! ${finding}`),
    `  LDR    ${record.leader}`,
    ...record.control.map(([tag, value]) => `  ${tag}    ${value}`),
    ...record.fields.map(
      ([tag, indicators, subfields]) =>
        `  ${tag} ${indicators} ${subfields.map(([code, value]) => `$${code} ${value}`).join(" ")}`,
    ),
    `  hash   ${hash}`,
    "",
  ];
}

/**
 * Returns whether every listed article became a record that would be delivered, now or when its issue is
 * published.
 */
export function isFlawless({ source, records, missed }: Preview): boolean {
  return (
    source?.state === "read" &&
    source.dropped.length === 0 &&
    missed.length === 0 &&
    records.every(({ outcome }) => outcome !== "delinquent")
  );
}
