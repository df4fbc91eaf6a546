import { pluralize } from "../../../core/pluralize.ts";
import { isDatestamp } from "../../../formats/oai/datestamp.ts";
import { isInSet } from "../../../formats/oai/get-record.ts";
import type { OaiIdentity, OaiRecord } from "../../../formats/oai/page.ts";
import type { Found } from "../checkup.ts";

/** Clocks differ. */
const toleranceMs = 86_400_000;

/** What the records of a page show, apart from their metadata. */
export function judgeRecords(
  records: readonly OaiRecord[],
  {
    identity,
    set,
    last = "",
    now,
  }: { identity: OaiIdentity | undefined; set: string | undefined; last: string | undefined; now: Date },
): Found[] {
  const found: Found[] = [];
  const note = (id: Found[0], wrong: readonly OaiRecord[], what: string) => {
    const [first] = wrong;
    if (first === undefined) return;
    const name = first.identifier === "" ? "" : `: ${first.identifier}`;
    found.push([id, `${pluralize(wrong.length, "record")} ${what}${name} (${first.datestamp})`]);
  };
  const { earliestDatestamp = "", granularity = "", deletedRecord } = identity ?? {};
  const dated = records.filter(({ datestamp }) => isDatestamp(datestamp));
  note(
    "identifier-missing",
    records.filter(({ identifier }) => identifier === ""),
    "without identifier",
  );
  note(
    "metadata-missing",
    records.filter(({ isDeleted, metadata }) => !isDeleted && metadata === undefined),
    "without metadata",
  );
  note(
    "datestamp-invalid",
    records.filter((record) => !dated.includes(record)),
    "without a valid datestamp",
  );
  const latestMs = now.getTime() + toleranceMs;
  note(
    "datestamp-future",
    dated.filter(({ datestamp }) => Date.parse(datestamp) > latestMs),
    "of the future",
  );
  if (/^YYYY/.test(granularity)) {
    const other = dated.filter(({ datestamp }) => datestamp.length !== granularity.length);
    note("datestamp-granularity", other, `whose datestamp is not ${granularity}`);
  }
  if (isDatestamp(earliestDatestamp)) {
    // As texts, to the precision of both.
    const early = dated.filter(({ datestamp }) => {
      const chars = Math.min(datestamp.length, earliestDatestamp.length);
      return datestamp.slice(0, chars) < earliestDatestamp.slice(0, chars);
    });
    note("earliest-datestamp", early, `before earliestDatestamp ${earliestDatestamp}`);
  }
  if (deletedRecord === "no")
    note(
      "tombstones-undeclared",
      records.filter(({ isDeleted }) => isDeleted),
      "deleted",
    );
  if (set !== undefined) {
    const outside = records.filter(({ sets }) => !sets.some((spec) => isInSet(spec, set)));
    note("set-not-in-header", outside, `without setSpec ${set}`);
  }
  const stamps = [last, ...dated.map(({ datestamp }) => datestamp)].filter((each) => each !== "");
  const unordered = stamps.find((stamp, index) => index > 0 && stamp < (stamps[index - 1] ?? ""));
  if (unordered !== undefined) found.push(["datestamp-order", `${unordered} comes after a later datestamp`]);
  return found;
}
