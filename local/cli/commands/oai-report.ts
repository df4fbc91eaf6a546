import { once } from "node:events";
import { pluralize } from "../../../shared/core/pluralize.ts";
import { type Completeness, reasonOf } from "../../../shared/formats/oai/completeness.ts";
import type { ListState } from "../../../shared/formats/oai/list-state.ts";
import { adviseOnPrivate } from "../../private-host.ts";
import type { CommandIo, Output } from "./command.ts";
import type { OaiDocument } from "./oai-document.ts";
import type { OaiCounts } from "./oai-folder.ts";
import { printable } from "./printable.ts";
import { ProgressBar } from "./progress-bar.ts";

/** The last line of `--json`. */
interface OaiSummary extends OaiCounts {
  type: "summary";
  complete: boolean;
  completeness: Completeness["type"];
  /** Why the list is incomplete. */
  reason?: string;
}

export function summarize(completeness: Completeness, counts: OaiCounts): OaiSummary {
  const reason = reasonOf(completeness);
  return {
    type: "summary",
    complete: completeness.type === "complete",
    completeness: completeness.type,
    ...(reason !== undefined && { reason }),
    ...counts,
  };
}

/** Formats a document as one line for people. */
export function formatDocument({ identifier, datestamp, deleted, title }: OaiDocument): string {
  return printable([identifier, datestamp, deleted ? "(deleted)" : (title ?? "")].join("  ").trimEnd());
}

/** Formats the summary. @param allowPrivate whether `--allow-private` was given */
export function formatSummary(
  { completeness, reason, documents, deleted, pages }: OaiSummary,
  allowPrivate: boolean,
): string {
  const counts = `${pluralize(documents, "document")} (${deleted} deleted) on ${pluralize(pages, "page")}`;
  return printable(
    `${completeness}: ${counts}${reason === undefined ? "" : `; ${adviseOnPrivate(reason, allowPrivate)}`}`,
  );
}

/**
 * Shows the progress of a list on a terminal: a bar while completeListSize is plausible, otherwise a count.
 */
export class OaiProgress {
  private readonly stderr: Output;
  private bar: { bar: ProgressBar; total: number } | undefined;

  constructor({ stderr }: Pick<CommandIo, "stderr">) {
    this.stderr = stderr;
  }

  update({ progress: { records, announced, pages } }: ListState): void {
    if (!this.stderr.isTTY) return;
    const note = `page ${pages}`;
    // Some repositories report the size of the page, or fewer records than they send.
    if (announced === undefined || announced <= records) {
      this.stderr.write(`\r\x1b[K${records} records, ${note}`);
      return;
    }
    if (this.bar?.total !== announced) {
      const bar = new ProgressBar(this.stderr, { total: announced, nowMs: () => performance.now() });
      this.bar = { bar, total: announced };
    }
    this.bar.bar.update(records, note);
  }

  clear(): void {
    if (this.stderr.isTTY) this.stderr.write("\r\x1b[K");
  }
}

/** Writes a text or bytes and waits until a slow reader has taken it, because output must not accumulate in memory. */
export async function writeAll(
  output: Output,
  content: string | Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  if (content.length === 0 || output.write(content) !== false) return;
  // The streams of a process emit "drain"; those of tests do not.
  await once(output as unknown as NodeJS.WriteStream, "drain", { signal });
}
