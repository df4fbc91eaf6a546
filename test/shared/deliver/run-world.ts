import type { Retry } from "../../../shared/core/retry.ts";
import { archiveRun } from "../../../shared/deliver/archive/archive.ts";
import { failRun } from "../../../shared/deliver/pipeline/fail-run.ts";
import { findOverdue } from "../../../shared/deliver/report/overdue.ts";
import { sendReport } from "../../../shared/deliver/report/send-report.ts";
import { uploadRun } from "../../../shared/deliver/upload/upload.ts";
import { validateRun } from "../../../shared/deliver/validate/validate.ts";
import type { DataField, MarcRecord, Subfield } from "../../../shared/marc/record.ts";
import { buildArchiveKeys, buildMatchKey } from "../../../shared/records/archive/archive-keys.ts";
import type { DividedStepPorts } from "../../../shared/records/runs/divided-step.ts";
import type { ConvertedDocument, RunMode } from "../../../shared/records/runs/run.ts";
import { type Stage, type StageRequest, stages } from "../../../shared/records/runs/stages.ts";
import type { NewGroup } from "../../../shared/records/sources/group.ts";
import { Killed } from "../memory/writes.ts";
import type { MemoryPorts } from "../memory-ports.ts";

export interface Article {
  id: string;
  /** The id of its record, when it is not the article's. */
  recordId?: string;
  /** "" = none, which validation refuses. */
  title?: string;
  urls: string[];
  doi?: string;
  groupId?: string;
  /** Without volume and issue. */
  isOnlineFirst?: boolean;
  abstract?: string;
  /** Its first page in a journal with an ISSN: by it, the article is perhaps recognised at another address. */
  page?: string;
}

/** Three ordinary articles of two groups. */
export const ordinary: Article[] = [
  { id: "a", urls: ["https://journal.example/a"], doi: "10.5555/a" },
  { id: "b", urls: ["https://journal.example/b"] },
  { id: "c", urls: ["https://journal.example/c"], groupId: "Other" },
];

/** The receiver of a group's files, as its group names it; no server stands behind it. */
export const sftpDestination = {
  type: "SFTP" as const,
  host: "receiver.example",
  username: "ingather",
  hostKeyFingerprint: `SHA256:${"A".repeat(43)}`,
};

/** A record that passes validation, unless it has no title or no volume. */
function marc({ id, title = `On ${id}`, isOnlineFirst = false, abstract, page }: Article): MarcRecord {
  return {
    leader: "00000nab a22004452  4500",
    control: [
      ["001", `Test#2026-11-20#${id}`],
      ["003", "XX-1"],
      ["007", "cr|||||"],
    ],
    fields: [
      ...(title === "" ? [] : [["245", "00", [["a", title]]] as MarcRecord["fields"][number]]),
      ...(abstract === undefined ? [] : [["520", "  ", [["a", abstract]]] as DataField]),
      ["936", "uw", isOnlineFirst ? [["j", "2026"]] : [["d", "1"], ...pageOf(page)]],
      ...(page === undefined ? [] : [["773", "08", [["x", "2049-3630"]]] as DataField]),
    ],
  };
}

function pageOf(page: string | undefined): Subfield[] {
  return page === undefined
    ? []
    : [
        ["h", page],
        ["j", "2026"],
      ];
}

/** A run that has been harvested. */
export function harvested(
  ports: MemoryPorts,
  runId: string,
  articles: Article[],
  { mode = "LIVE", group = {} }: { mode?: RunMode; group?: Partial<NewGroup> } = {},
): void {
  for (const groupId of ["Test", "Other"]) ports.addGroup(groupId, group);
  ports.runsById.set(runId, {
    runId,
    deliveryMode: mode,
    state: "harvesting",
    startedAt: ports.now.toISOString(),
    deadlineAt: ports.now.toISOString(),
  });
  for (const article of articles) {
    const document = converted(article, { runId, mode }, ports);
    ports.documentOutcomes.set(`${runId} source ${article.id}`, document);
  }
}

/** An article that has become a record. */
export function converted(
  article: Article,
  { runId, mode }: { runId: string; mode: RunMode },
  ports: MemoryPorts,
): ConvertedDocument {
  const recordKey = `${article.id}/${runId}`;
  const record = marc(article);
  ports.marcByKey.set(recordKey, record);
  const matchKey = buildMatchKey(record, mode);
  return {
    state: "converted",
    requestId: article.id,
    sourceId: "source",
    url: article.urls[0] ?? "",
    title: article.title ?? `On ${article.id}`,
    recordId: article.recordId ?? article.id,
    groupId: article.groupId ?? "Test",
    hash: article.id,
    ...(article.doi !== undefined && { doi: article.doi }),
    urls: article.urls,
    recordKey,
    archiveKeys: buildArchiveKeys({ ...article, hash: article.id }, mode),
    ...(matchKey !== undefined && { matchKey }),
    warnings: [],
  };
}

/** How the documents of a run are divided, and the queue of parts; absent: as deployed, where few documents need none. */
type Divided = Partial<Pick<DividedStepPorts, "division" | "partsQueue">> & { maxArticlesOfHarvest?: number };

/** Runs a stage as its function would; gives the stage that it asks for. */
export async function runStage(
  stage: Stage,
  request: StageRequest,
  ports: MemoryPorts & { retry?: Retry } & Divided,
): Promise<Stage | undefined> {
  let asked: Stage | undefined;
  const queue = {
    send: async () => {
      asked = stages[stages.indexOf(stage) + 1];
    },
  };
  const {
    clock,
    sources,
    status,
    runs,
    records,
    archive,
    deliveries,
    leases,
    rules,
    refusedRecords,
    sftp,
    events,
    mailer,
  } = ports;
  const { partsQueue = { send: async () => {} }, division, maxArticlesOfHarvest } = ports;
  const divided = { partsQueue, ...(division && { division }) };
  switch (stage) {
    case "validate":
      await validateRun(request, {
        ...{ runs, records, rules, refusedRecords, archive, clock },
        ...divided,
        ...(maxArticlesOfHarvest !== undefined && { maxArticlesOfHarvest }),
        next: queue,
      });
      break;
    case "upload":
      await uploadRun(request, {
        runs,
        records,
        archive,
        sources,
        deliveries,
        leases,
        sftp,
        events,
        ...divided,
        next: queue,
        clock,
        timeZone: "UTC",
        retry: ports.retry ?? ((work) => work()),
      });
      break;
    case "archive":
      await archiveRun(request, { runs, records, archive, status, events, ...divided, next: queue });
      break;
    case "overdue":
      await findOverdue(request, { runs, sources, status, next: queue, clock });
      break;
    case "report":
      await sendReport(request, {
        runs,
        sources,
        status,
        sourceRuns: ports.sourceRuns,
        quality: ports.quality,
        mailer,
        events,
        clock,
        recipients: ["a@b.example"],
        timeZone: "UTC",
        filesUrl: "https://files.example/",
        consoleUrl: "https://api.example/console",
        reportNothingDelivered: () => {},
      });
  }
  return asked;
}

/** Stops the run at a stage; its report is read at once unless the test does so. */
export async function fail(
  stage: Stage,
  ports: MemoryPorts,
  {
    runId = "run",
    reason = "no space",
    read,
  }: { runId?: string; reason?: string; read?: (report: StageRequest) => Promise<void> } = {},
): Promise<void> {
  const readNow = async (report: StageRequest) => void (await runStage("report", report, ports));
  const { runs, clock } = ports;
  await failRun({ runId, stage, reason }, { runs, clock, reports: { send: read ?? readNow } });
}

/** Brings a run to its end, each stage as often as it dies, as a queue would. */
export async function deliver(runId: string, ports: MemoryPorts): Promise<void> {
  let stage: Stage | undefined = "validate";
  while (stage !== undefined) {
    try {
      stage = await runStage(stage, { runId }, ports);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      ports.live();
      // Whatever happens next happens tomorrow.
      ports.now = new Date(ports.now.getTime() + 86_400_000);
    }
  }
}

/** The titles in all files of valid records, each as often as it is there. */
export function deliveredTitles(ports: MemoryPorts): string[] {
  return [...ports.files.keys()]
    .filter((key) => /_\d+\.xml$/.test(key))
    .flatMap((key) => titlesIn(ports.files.get(key)))
    .sort();
}

/** The titles in a file, in its order. */
export function titlesIn(content: Uint8Array | undefined): string[] {
  return [new TextDecoder().decode(content)].flatMap((text) =>
    [...text.matchAll(/tag="245".*?<subfield code="a">(.*?)</gs)].map(([, title]) => title ?? ""),
  );
}
