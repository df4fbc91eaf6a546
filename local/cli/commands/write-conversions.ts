import { createHash, type Hash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { InputError } from "../../../shared/core/errors.ts";
import { inOrder } from "../../../shared/core/in-order.ts";
import { pluralize } from "../../../shared/core/pluralize.ts";
import { isStoppedByUser, stoppedExitCode } from "../../stop-signals.ts";
import type { CommandIo } from "./command.ts";
import { ConversionReport } from "./conversion-report.ts";
import type { Entry, PlacedConversion } from "./convert-entries.ts";
import { writeAll } from "./oai-report.ts";
import type { InputFile } from "./open-input.ts";
import { type RecordFormat, RecordWriter } from "./record-output.ts";
import { type Progress, ResumableFile } from "./resumable-file.ts";

/** The number of entries that are converted at the same time, while languages are detected and names looked up. */
const maxParallelEntries = 4;

/** The maximum number of entries whose records wait to be written, and how long they wait for the next entry. */
const maxPendingEntries = 100;
const maxPendingMs = 50;

interface ConvertedEntry {
  /** The digest of the input to the end of this entry. */
  digest: string;
  conversions: PlacedConversion[];
}

/** A file, or standard output. */
interface Output {
  /** Where an unfinished output continues; undefined for a new one. */
  readonly resumed: Progress | undefined;
  /** Whether an earlier process has written records. */
  readonly isBegun: boolean;
  write(records: Uint8Array, progress: Progress): Promise<void> | void;
  /** Completes the output. */
  finish(ending: Uint8Array): Promise<void> | void;
  /** Ends an incomplete output so that it can be read. */
  stop(ending: Uint8Array): Promise<void> | void;
}

/**
 * Converts entries, and writes each record as soon as it and all records before it are done.
 * @param options.out a file; undefined for standard output
 * @param options.identity what the records depend on besides the entries
 * @returns the exit code
 * @throws InputError when the input cannot be read to its end, or the file cannot be written
 */
export async function writeConversions(
  entries: AsyncIterable<Entry>,
  options: {
    format: RecordFormat;
    out: string | undefined;
    identity: string;
    input: Omit<InputFile, "chunks">;
    io: CommandIo;
  },
): Promise<number> {
  const { format, out, identity, input, io } = options;
  const { signal } = io;
  const hash = createHash("sha256").update(identity);
  const begun: Progress = { done: 0, dropped: 0, digest: hash.copy().digest("hex") };
  const output = out === undefined ? standardOutput(io) : new ResumableFile(out, begun);
  const progress = { ...begun, ...output.resumed };
  const writer = new RecordWriter(format, { isContinued: output.isBegun });
  const report = new ConversionReport(io, input);
  const converted = inOrder(
    withDigests(entries, hash, { resumed: output.resumed, out }),
    maxParallelEntries,
    async ({ entry, digest }): Promise<ConvertedEntry> => ({ digest, conversions: await entry.convert() }),
  );
  let pending = 0;
  const flush = async () => {
    pending = 0;
    await output.write(writer.take(), progress);
  };
  let failure: { error: unknown } | undefined;
  let [isRead, isComplete] = [false, false];
  try {
    while (!isRead && failure === undefined) {
      const next = converted.next().catch((error: unknown) => ({ error }));
      if (pending > 0) {
        const isReady = next.then(() => true);
        const isSoon = await Promise.race([isReady, setTimeout(maxPendingMs, false, { ref: false })]);
        if (!isSoon || pending >= maxPendingEntries) await flush();
      }
      const arrived = await unlessAborted(next, signal);
      if (arrived === undefined) break;
      // A lookup that is stopped fails.
      if (signal.aborted) break;
      if ("error" in arrived) failure = arrived;
      else if (arrived.done) isRead = true;
      else {
        progress.dropped += addConversions(arrived.value.conversions, writer, report);
        progress.digest = arrived.value.digest;
        progress.done += 1;
        pending += 1;
        report.update(progress);
      }
    }
    if (pending > 0 || isRead) await flush();
    if (isRead) {
      await output.finish(writer.end());
      isComplete = true;
    }
  } finally {
    report.clear();
    if (!isComplete) await output.stop(writer.end());
  }
  if (failure !== undefined) throw failure.error;
  if (isComplete) return progress.dropped === 0 ? 0 : 1;
  if (out !== undefined) io.stderr.write("Continue with the same command\n");
  else if (isStoppedByUser(signal)) {
    io.stderr.write(
      `Stopped after ${pluralize(progress.done, "item")}. With --out FILE, the same command resumes\n`,
    );
  }
  return stoppedExitCode(signal);
}

/** Yields the entries that are not done, each with the digest of the input to its end. */
async function* withDigests(
  entries: AsyncIterable<Entry>,
  hash: Hash,
  { resumed, out }: { resumed: Progress | undefined; out: string | undefined },
): AsyncGenerator<{ entry: Entry; digest: string }> {
  const { done = 0, digest: expected = "" } = resumed ?? {};
  let [read, digest] = [0, hash.copy().digest("hex")];
  const assertSame = () => {
    if (resumed === undefined || (read === done && digest === expected)) return;
    throw new InputError(
      "--out",
      out,
      "holds an unfinished conversion of other items, or with another configuration; delete it to start again",
    );
  };
  if (done === 0) assertSame();
  for await (const entry of entries) {
    digest = hash.update(entry.content).update("\n").copy().digest("hex");
    read += 1;
    if (read > done) yield { entry, digest };
    else if (read === done) assertSame();
  }
  if (read < done) assertSame();
}

/** Adds the conversions of an entry to the records and the report. @returns the number of dropped items */
function addConversions(
  conversions: readonly PlacedConversion[],
  writer: RecordWriter,
  report: ConversionReport,
): number {
  let dropped = 0;
  for (const conversion of conversions) {
    const { place } = conversion;
    if (conversion.type === "converted") {
      for (const warning of conversion.warnings) report.add("warning", warning, place);
    }
    const problem =
      conversion.type === "converted" ? writer.add(conversion) : `${conversion.reason}: ${conversion.detail}`;
    if (problem === undefined) continue;
    report.add("dropped", problem, place);
    dropped += 1;
  }
  return dropped;
}

function standardOutput({ stdout, signal }: CommandIo): Output {
  let isBegun = false;
  const write = async (bytes: Uint8Array) => {
    isBegun ||= bytes.length > 0;
    await writeAll(stdout, bytes, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  };
  return {
    resumed: undefined,
    isBegun,
    write,
    finish: write,
    stop: async (ending) => {
      if (isBegun) await write(ending);
    },
  };
}

/** Awaits a value, or yields undefined when the signal is aborted. Keeps nothing of the wait in the signal. */
function unlessAborted<Value>(waiting: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
