import { pluralize } from "../../../shared/core/pluralize.ts";
import {
  beginCheckup,
  type CheckedRepository,
  type Checkup,
} from "../../../shared/harvest/repository-check/checkup.ts";
import {
  type CheckReport,
  describeCheckup,
  worstSeverity,
} from "../../../shared/harvest/repository-check/describe-checkup.ts";
import { followCheckup, nextCheckRequest } from "../../../shared/harvest/repository-check/follow-checkup.ts";
import { localGroup } from "../../local-group.ts";
import { adviseOnPrivate } from "../../private-host.ts";
import { stoppedExitCode } from "../../stop-signals.ts";
import type { InProcessGate } from "../harvest/in-process-gate.ts";
import { fetchOai, type OaiTarget } from "../harvest/oai-exchange.ts";
import type { CommandIo } from "./command.ts";
import type { OaiOptions } from "./oai-options.ts";
import { printable } from "./printable.ts";

/** The exit codes, by the severity of the worst finding. */
const exitCodes = { info: 0, warning: 1, error: 3 } as const;

/**
 * Checks a repository, request by request, and writes the findings, even if the check is stopped or fails.
 * @returns the exit code
 */
export async function checkRepository(
  asked: CheckedRepository,
  { gate, target, options }: { gate: InProcessGate; target: OaiTarget; options: OaiOptions },
  io: CommandIo,
): Promise<number> {
  let checkup = beginCheckup(asked);
  try {
    for (;;) {
      io.signal.throwIfAborted();
      const request = nextCheckRequest(checkup);
      if (request === undefined) break;
      const response = await fetchOai(request, gate, target);
      checkup = followCheckup(checkup, response, new Date());
      if (io.stderr.isTTY) io.stderr.write(`\r\x1b[K${pluralize(checkup.requests, "request")}`);
    }
  } catch (error) {
    write(checkup, options, io, io.signal.aborted ? "stopped" : String(error));
    if (io.signal.aborted) return stoppedExitCode(io.signal);
    throw error;
  }
  write(checkup, options, io);
  return checkup.end?.type === "finished" ? exitCodes[worstSeverity(checkup) ?? "info"] : exitCodes.error;
}

function write(
  checkup: Checkup,
  { json, allowPrivate }: OaiOptions,
  { stdout, stderr }: CommandIo,
  stopped?: string,
): void {
  if (stderr.isTTY) stderr.write("\r\x1b[K");
  const report = describeCheckup(checkup, { groupId: localGroup.groupId, ...(stopped && { stopped }) });
  if (json) stdout.write(`${JSON.stringify(report)}\n`);
  else
    stdout.write(
      reportLines(report)
        .map((line) => `${printable(line)}\n`)
        .join(""),
    );
  if (report.reason !== undefined)
    stderr.write(`incomplete: ${printable(adviseOnPrivate(report.reason, allowPrivate))}\n`);
}

function reportLines({ url, repository, list, findings, metadata, proposal }: CheckReport): string[] {
  const { pages, records, deleted, announced, whole } = list;
  const of = announced === undefined ? "" : `, completeListSize ${announced}`;
  return [
    `${repository.name ?? url}: ${pluralize(records, "record")} (${deleted} deleted) on ${pluralize(pages, "page")}${whole ? "" : ", read in part"}${of}`,
    "",
    ...findings.flatMap(({ id, severity, seen, times, section, rule, effect }) => [
      `${severity.padEnd(8)} ${id}: ${seen}${times > 1 ? ` (${times} times)` : ""}`,
      `         ${rule.en} ${section}`,
      `         ${effect.en}`,
    ]),
    ...metadata.map(
      ({ metadataPrefix, records: rated, fields }) =>
        `${metadataPrefix}, of ${pluralize(rated, "record")}: ${fields.map(({ field, records: has }) => `${field} ${Math.floor((100 * has) / rated)} %`).join(", ")}`,
    ),
    ...(proposal === undefined
      ? []
      : [
          "",
          "Proposed source:",
          JSON.stringify(proposal.source, undefined, 2),
          ...proposal.reasons.map(({ setting, why }) => `  ${setting}: ${why.en}`),
        ]),
  ].flatMap((line) => line.split("\n"));
}
