import { closeSync, openSync, readdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { linesOfFile } from "./lines-of-file.ts";

/** The maximum size of the lines that are sorted in memory. */
const defaultRunBytes = 128 * 1024 * 1024;

const writtenAtOnceBytes = 1024 * 1024;

/**
 * Writes the complete lines of a file in byte order, as `LC_ALL=C sort` does. A larger file is sorted in
 * parts (runs) beside the target, which are then merged. The target is created when it is complete.
 * @returns the number of runs
 */
export function sortLines(from: string, to: string, runBytes = defaultRunBytes): number {
  const runName = (run: number) => `${to}.run-${run}`;
  removeRuns(to);
  let runs = 0;
  let lines: Buffer[] = [];
  let sizeBytes = 0;
  for (const line of linesOfFile(from, { endsWhole: true })) {
    lines.push(line);
    sizeBytes += line.length;
    if (sizeBytes < runBytes) continue;
    writeLines(runName(runs), lines.sort(Buffer.compare));
    runs += 1;
    lines = [];
    sizeBytes = 0;
  }
  lines.sort(Buffer.compare);
  const sources = [
    ...Array.from({ length: runs }, (_, run) => linesOfFile(runName(run))),
    lines[Symbol.iterator](),
  ];
  const open = `${to}.part`;
  writeLines(open, runs === 0 ? lines : merged(sources));
  renameSync(open, to);
  removeRuns(to);
  return runs + 1;
}

/** Deletes the runs, including those of a killed process. */
function removeRuns(to: string): void {
  const folder = dirname(to);
  const names = readdirSync(folder).filter((name) => name.startsWith(`${basename(to)}.run-`));
  for (const name of names) rmSync(join(folder, name));
}

function* merged(sources: readonly Iterator<Buffer>[]): Generator<Buffer> {
  const heads = sources.flatMap((source) => {
    const { done, value } = source.next();
    return done ? [] : [{ source, line: value as Buffer }];
  });
  while (heads.length > 0) {
    let least = 0;
    for (let at = 1; at < heads.length; at += 1) {
      if (Buffer.compare((heads[at] as Head).line, (heads[least] as Head).line) < 0) least = at;
    }
    const head = heads[least] as Head;
    yield head.line;
    const { done, value } = head.source.next();
    if (done) heads.splice(least, 1);
    else head.line = value;
  }
}

interface Head {
  source: Iterator<Buffer>;
  line: Buffer;
}

function writeLines(path: string, lines: Iterable<Buffer>): void {
  const file = openSync(path, "w");
  try {
    let pieces: Buffer[] = [];
    let sizeBytes = 0;
    const write = () => {
      const piece = Buffer.concat(pieces);
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
      pieces = [];
      sizeBytes = 0;
    };
    for (const line of lines) {
      pieces.push(line, end);
      sizeBytes += line.length + 1;
      if (sizeBytes >= writtenAtOnceBytes) write();
    }
    write();
  } finally {
    closeSync(file);
  }
}

const end = Buffer.from("\n");
