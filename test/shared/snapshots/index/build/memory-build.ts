import { gunzipSync } from "node:zlib";
import type { BuildPorts, WrittenFiles } from "../../../../../shared/snapshots/index/build/build-ports.ts";
import { doStep, endDivisions, endIndex } from "../../../../../shared/snapshots/index/build/build-steps.ts";
import { type InputFile, planIndex } from "../../../../../shared/snapshots/index/build/index-plan.ts";
import type { IndexFiles } from "../../../../../shared/snapshots/index/deduplication-index.ts";

/** Files by name; `reads` lists what was read. */
export class MemoryFiles implements WrittenFiles, IndexFiles {
  readonly files = new Map<string, Buffer>();
  readonly reads: string[] = [];

  async read(name: string) {
    this.reads.push(name);
    return this.files.get(name);
  }

  async readRange(name: string, { offset, length }: { offset: number; length: number }) {
    this.reads.push(name);
    return this.files.get(name)?.subarray(offset, offset + length) ?? Buffer.alloc(0);
  }

  async readInto(name: string, offset: number, target: Uint8Array) {
    target.set(await this.readRange(name, { offset, length: target.length }));
  }

  async write(name: string, content: Iterable<Uint8Array>) {
    this.files.set(name, Buffer.concat([...content]));
  }
}

export interface JobText {
  log?: string | Buffer;
  cdx?: string | Buffer;
  metadata?: Buffer;
}

/** Builds an index of texts, whose files come in chunks of odd lengths. A name may say that a content is compressed. */
export async function buildInMemory(
  jobs: JobText[],
  options: {
    includesText?: boolean;
    shards?: number;
    divisionBytes?: number;
    compressedDivisionBytes?: number;
    runBytes?: number;
    chunkBytes?: number;
    endings?: string;
  } = {},
) {
  const inputs = new Map<string, Buffer>();
  const { endings = "", chunkBytes = 61, runBytes } = options;
  const planned = jobs.map((job, number) => ({
    jobId: String(number + 1),
    files: (["log", "cdx", "metadata"] as const).flatMap((part): InputFile[] => {
      const content = job[part];
      if (content === undefined) return [];
      const name = `${number + 1}.${part}${endings}`;
      inputs.set(name, Buffer.from(content));
      const kind = part === "log" ? "crawl-log" : part;
      return [{ name, kind, sizeBytes: Buffer.from(content).length, version: "1" }];
    }),
  }));
  const { includesText = false, shards = 3, divisionBytes = 100, compressedDivisionBytes } = options;
  const plan = planIndex(planned, {
    includesText,
    shards,
    divisionBytes,
    ...(compressedDivisionBytes && { compressedDivisionBytes }),
    ...(runBytes && { runBytes }),
  });
  const [work, index] = [new MemoryFiles(), new MemoryFiles()];
  const ports: BuildPorts = {
    async *input({ name }, start) {
      const content = inputs.get(name) as Buffer;
      for (
        let at = start, length = 1;
        at < content.length;
        at += length, length = (length * 7) % chunkBytes
      ) {
        yield Uint8Array.from(content.subarray(at, at + length));
      }
    },
    work,
    index,
  };
  for (const division of plan.divisions.keys()) await doStep(plan, { division }, ports);
  await endDivisions(plan, ports);
  for (let shard = 0; shard < plan.shards; shard += 1) await doStep(plan, { shard }, ports);
  return { ...(await endIndex(plan, ports)), index, work, plan };
}

/** All lines of an index, shard by shard. Digests that are packed are a tab there. */
export function linesOf({ files }: MemoryFiles): string[][] {
  return [...files]
    .filter(([name]) => name.endsWith(".keys"))
    .map(([name, keys]) => {
      const blocks = files.get(name.replace(".keys", ".blocks.gz")) as Buffer;
      return keys
        .toString()
        .split("\n")
        .slice(0, -1)
        .flatMap((key) => {
          const [offset, length] = key.split(" ").map(Number) as [number, number];
          const block = gunzipSync(blocks.subarray(offset, offset + length));
          return block
            .toString("utf8", 4 + 20 * block.readUInt32LE(0))
            .split("\n")
            .slice(0, -1);
        });
    });
}
