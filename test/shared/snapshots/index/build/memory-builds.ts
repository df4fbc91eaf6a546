import { systemClock } from "../../../../../shared/core/clock.ts";
import { buildPart } from "../../../../../shared/snapshots/index/build/build-part.ts";
import type { IndexAnswer } from "../../../../../shared/snapshots/index/build/index-answer.ts";
import type {
  IndexBuild,
  IndexBuildPorts,
  IndexPart,
} from "../../../../../shared/snapshots/index/build/index-build.ts";
import { MemoryFiles } from "./memory-build.ts";

/** The ports of builds in memory. `dieAt` lets the call with that number fail, before it is done or after it. */
export class MemoryBuilds {
  readonly contents = new Map<string, string>();
  readonly builds = new Map<string, IndexBuild>();
  readonly work = new Map<string, MemoryFiles>();
  readonly index = new Map<string, MemoryFiles>();
  readonly queue: IndexPart[] = [];
  readonly answers: IndexAnswer[] = [];
  dieAt: { call: number; isDone: boolean } | undefined;
  calls = 0;

  /** Stores a file of a job. */
  put(jobId: number, file: string, content: string): void {
    this.contents.set(`jobs/${jobId}/${file}`, content);
  }

  ports(): IndexBuildPorts {
    const change = (buildId: string, next: (build: IndexBuild) => Partial<IndexBuild>) =>
      this.call(async () => {
        const known = this.builds.get(buildId) ?? {
          buildId,
          waiting: [],
          divided: new Set(),
          built: new Set(),
        };
        const build = { ...known, ...next(known) };
        this.builds.set(buildId, build);
        return build;
      });
    return {
      builds: {
        join: (buildId, waiting) =>
          change(buildId, ({ waiting: others }) => ({
            waiting: [...others.filter((other) => other.generation !== waiting.generation), waiting],
          })),
        note: (part) =>
          change(part.buildId, ({ divided, built }) =>
            "division" in part
              ? { divided: new Set([...divided, part.division]) }
              : { built: new Set([...built, part.shard]) },
          ),
        end: (buildId, result) => change(buildId, (build) => ({ result: build.result ?? result })),
        get: async (buildId) => this.builds.get(buildId),
      },
      filesOf: async (jobId) =>
        [...this.contents]
          .filter(([name]) => name.startsWith(`jobs/${jobId}/`))
          .map(([name, content]) => ({ name, sizeBytes: content.length, version: content })),
      filesFor: (buildId) => ({
        input: async function* (this: MemoryBuilds, { name }: { name: string }, start: number) {
          yield Buffer.from(this.contents.get(name) ?? "").subarray(start);
        }.bind(this),
        work: this.files(this.work, buildId),
        index: this.files(this.index, buildId),
      }),
      parts: { send: (part) => this.call(async () => void this.queue.push(part)) },
      answers: { send: (answer) => this.call(async () => void this.answers.push(answer)) },
      clock: systemClock,
    };
  }

  /** Works until the queue is empty. A message whose work fails returns to the queue, and each comes twice. */
  async workOff(pick: (count: number) => number = () => 0): Promise<void> {
    while (this.queue.length > 0) {
      const [part] = this.queue.splice(pick(this.queue.length), 1) as [IndexPart];
      for (let time = 0; time < 2; time += 1) {
        await buildPart(part, this.ports()).catch((error) => {
          if (error !== died) throw error;
          this.queue.push(part);
        });
      }
    }
  }

  private files(all: Map<string, MemoryFiles>, buildId: string) {
    const files = all.get(buildId) ?? new MemoryFiles();
    all.set(buildId, files);
    return {
      read: (name: string) => files.read(name),
      readInto: (name: string, offset: number, target: Uint8Array) => files.readInto(name, offset, target),
      write: (name: string, content: Iterable<Uint8Array>) => this.call(() => files.write(name, content)),
    };
  }

  private async call<Result>(work: () => Promise<Result>): Promise<Result> {
    this.calls += 1;
    const { dieAt, calls } = this;
    if (dieAt?.call === calls && !dieAt.isDone) throw died;
    const result = await work();
    if (dieAt?.call === calls) throw died;
    return result;
  }
}

export const died = new Error("the worker has died");
