import { ThrottledError } from "../../../../shared/core/errors.ts";
import type { ReadOaiPorts } from "../../../../shared/harvest/oai/read-oai-response.ts";
import { readOaiResponse } from "../../../../shared/harvest/oai/read-oai-response.ts";
import { startHarvest } from "../../../../shared/harvest/start-harvest.ts";
import { type NewSource, type Source, source } from "../../../../shared/records/sources/source.ts";
import { type NewRequest, outboundRequest } from "../../../../shared/web/request/request.ts";
import { type Answer, envelope, type Script } from "../../../local/cli/harvest/scripted-repository.ts";
import { Killed } from "../../memory/writes.ts";
import { MemoryPorts } from "../../memory-ports.ts";

export const sourceId = "repository";

/** The status of an answer that does not come. */
export const noResponse = 0;

/** Identify of a repository. */
export function identify({
  deletedRecord = "persistent",
  granularity = "YYYY-MM-DDThh:mm:ssZ",
} = {}): string {
  return envelope(
    `<Identify><repositoryName>R</repositoryName><deletedRecord>${deletedRecord}</deletedRecord><granularity>${granularity}</granularity></Identify>`,
  );
}

/** An OAI-PMH source, its harvests in memory, and a repository that responds by a script. */
export class OaiWorld {
  readonly ports = new MemoryPorts();
  /** The queries that the repository got. */
  readonly requested: string[] = [];
  /** The hosts that they were sent to. */
  readonly hosts: string[] = [];
  readonly deliveries: string[] = [];
  script: Script;
  readonly queue: NewRequest[] = [];
  private readonly sent = new Set<string>();

  constructor(script: Script, settings: Partial<NewSource> = {}) {
    this.script = script;
    const value = {
      sourceId,
      title: "Repository",
      groupId: "Test",
      type: "OAI-PMH" as const,
      url: "https://r.example/oai",
    };
    this.ports.sourcesById.set(sourceId, source.parse({ ...value, deliveryMode: "LIVE", ...settings }));
    this.ports.addGroup("Test");
  }

  get source(): Source {
    return this.ports.sourcesById.get(sourceId) as Source;
  }

  /** The runs by whose start harvests began, and what waits for them. */
  private get startPorts() {
    return {
      ...this.ports,
      requests: this.requests,
      deadlines: { schedule: async () => undefined },
      mail: { send: async () => undefined },
      delivery: { send: async ({ runId }: { runId: string }) => void this.deliveries.push(runId) },
      runDeadlineMinutes: 180,
      softDeadlineMinutes: 0,
    };
  }

  readonly requests = {
    send: async (requests: NewRequest[]) => {
      for (const request of requests) {
        if (!this.sent.has(request.id)) this.queue.push(request);
        this.sent.add(request.id);
      }
    },
  };

  /** What polls work with. */
  get pollPorts() {
    return { ...this.ports, requests: this.requests, mail: this.startPorts.mail };
  }

  /** Starts the run of a time, which is the clock's from then on. */
  async start(at: string): Promise<void> {
    this.ports.now = new Date(at);
    await startHarvest({ deliveryMode: "LIVE", scheduledTime: at }, this.startPorts);
  }

  /** Reads as many answers as `count`; an answer whose reader was killed is read again. */
  async read(count = Number.POSITIVE_INFINITY): Promise<void> {
    for (let read = 0; read < count; read += 1) {
      const [request] = this.queue;
      if (request === undefined) return;
      const answer = this.answer(request.url);
      this.messages.push(request);
      while (this.messages.length > 0) await this.readMessage(request, answer);
      this.queue.shift();
    }
  }

  /** The messages with the response that is being read. */
  private readonly messages: NewRequest[] = [];

  /** Receives a message, five times at most, and deletes it when it was read. */
  private async readMessage(request: NewRequest, answer: Answer): Promise<void> {
    let receives = 0;
    for (;;) {
      try {
        await this.readAnswer(request, answer);
        this.messages.shift();
        return;
      } catch (error) {
        receives += 1;
        if (receives === 5) throw new Error("the message is a dead letter", { cause: error });
        if (error instanceof ThrottledError) continue;
        if (!(error instanceof Killed)) throw error;
        this.ports.live();
      }
    }
  }

  async harvest(at: string): Promise<void> {
    await this.start(at);
    await this.read();
  }

  /** The sources whose sets are to be registered as published. */
  readonly registered: string[] = [];

  private answer(url: string): Answer {
    const args = Object.fromEntries(new URL(url).searchParams);
    this.hosts.push(new URL(url).host);
    const query = new URL(url).search.slice(1);
    this.requested.push(decodeURIComponent(query));
    const nth = this.requested.filter((each) => each === decodeURIComponent(query)).length;
    const answer = this.script(args, nth);
    return typeof answer === "string" ? { body: answer } : answer;
  }

  private async readAnswer(
    request: NewRequest,
    { status = 200, headers = {}, body = "" }: Answer,
  ): Promise<void> {
    const { runs, sources, archive, records, events, documents, oaiHarvests, clock } = this.ports;
    const ports: ReadOaiPorts = {
      runs,
      sources,
      archive,
      records,
      oaiHarvests,
      clock,
      timeZone: "UTC",
      kept: { documents, events, requestFiles: async () => undefined },
      bodies: { load: async () => Buffer.from(body) },
      requests: this.requests,
      delivery: this.startPorts.delivery,
      events,
      responses: { send: async ({ request: again }) => void this.messages.push(again) },
      setRegistrations: { send: async ({ sourceId }) => void this.registered.push(sourceId) },
    };
    const { url } = request;
    if (status === noResponse) {
      const failed = { type: "failed" as const, reason: "timeout", detail: "no response", attempts: 5 };
      return readOaiResponse({ request: outboundRequest.parse(request), outcome: failed }, ports);
    }
    const outcome = {
      type: "answered" as const,
      status,
      url,
      hops: [{ url, status }],
      headers: { "content-type": "text/xml", ...headers },
      bodyKey: "body",
      elapsedMs: 1,
    };
    await readOaiResponse({ request: outboundRequest.parse(request), outcome }, ports);
  }

  /** The identifiers of the documents by state. */
  documents(state: "present" | "deleted"): string {
    const all = [...this.ports.documentsByKey.values()].filter((document) => document.state === state);
    return all
      .map(({ identifier }) => identifier[0])
      .sort()
      .join("");
  }

  /** The events of documents, in the order of their publication. */
  get events(): string[] {
    return this.ports.published.map(({ type, detail }) => `${type} ${detail.identifier}`);
  }

  /** The records that were asked for one by one. */
  get asked(): string[] {
    return this.requested.flatMap((query) => /^verb=GetRecord&identifier=([^&]*)/.exec(query)?.[1] ?? []);
  }

  /** The queries for lists. */
  get lists(): string[] {
    return this.requested
      .filter((query) => !/^verb=(Identify|GetRecord)\b/.test(query))
      .map((query) => query.replace("verb=ListRecords&", ""));
  }
}
