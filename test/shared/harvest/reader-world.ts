import type { Run } from "../../../shared/records/runs/run.ts";
import { type NewSource, source } from "../../../shared/records/sources/source.ts";
import { type NewRequest, outboundRequest } from "../../../shared/web/request/request.ts";
import {
  type InboundResponse,
  inboundResponse,
  type ResponseOutcome,
} from "../../../shared/web/request/response.ts";
import { MemoryPorts } from "../memory-ports.ts";

/** What starts the run of `runId`. */
export const start = { deliveryMode: "LIVE" as const, scheduledTime: "2026-11-20T20:00:00+01:00" };
export const runId = "live-20261120T190000Z";

/** A harvest whose requests the test answers: what its functions have kept and sent. */
export class ReaderWorld {
  readonly memory = new MemoryPorts();
  /** Texts by their keys. */
  readonly bodies = new Map<string, string>();
  readonly sent: NewRequest[] = [];
  /** The runs whose delivery was asked for. */
  readonly deliveries: string[] = [];
  /** Of a run, until when its answers are waited for. */
  readonly deadlines: [runId: string, at: string][] = [];

  constructor() {
    this.memory.addGroup("Test");
  }

  /** What its functions work with. */
  ports() {
    return {
      ...this.memory,
      bodies: {
        load: async (key: string) => new TextEncoder().encode(this.bodies.get(key)),
        store: async (key: string, content: Uint8Array) => {
          this.bodies.set(key, new TextDecoder().decode(content));
          return key;
        },
      },
      requests: { send: async (requests: NewRequest[]) => void this.sent.push(...requests) },
      delivery: { send: async (message: { runId: string }) => void this.deliveries.push(message.runId) },
      mail: { send: async () => undefined },
      deadlines: {
        schedule: async ({ runId, deadlineAt }: Run) => void this.deadlines.push([runId, deadlineAt]),
      },
      runDeadlineMinutes: 180,
      softDeadlineMinutes: 0,
      detectLanguage: async () => ({ type: "unknown" }) as const,
      timeZone: "UTC",
    };
  }

  /** Adds a live source with a feed of its own host. */
  addSource(sourceId: string, more: Partial<NewSource> = {}): void {
    const value = {
      sourceId,
      title: sourceId,
      type: "RSS",
      url: `https://${sourceId}.example/feed`,
      groupId: "Test",
    };
    this.memory.sourcesById.set(sourceId, source.parse({ ...value, deliveryMode: "LIVE", ...more }));
  }

  /** The message that the gate would send for a request. */
  respond(request: NewRequest, outcome: ResponseOutcome | string): InboundResponse {
    if (typeof outcome !== "string")
      return inboundResponse.parse({ request: outboundRequest.parse(request), outcome });
    this.bodies.set(request.id, outcome);
    const { url } = request;
    const answered = {
      type: "answered",
      status: 200,
      url,
      hops: [{ url, status: 200 }],
      headers: {},
      bodyKey: request.id,
      elapsedMs: 1,
    };
    return inboundResponse.parse({ request: outboundRequest.parse(request), outcome: answered });
  }

  /** The requests of a kind, in the order in which they were sent. */
  requestOf(kind: string): NewRequest[] {
    return this.sent.filter((request) => request.kind === kind);
  }
}

/** A feed whose entries link to these paths. */
export function feed(...paths: string[]): string {
  const items = paths.map((path) => `<item><title>T ${path}</title><link>${path}</link></item>`);
  return `<rss version="2.0"><channel><title>F</title>${items.join("")}</channel></rss>`;
}

/** A page that says all of an article. */
export const page = (
  title: string,
) => `<!doctype html><title>x</title><meta name="citation_title" content="${title}">
<meta name="citation_author" content="Pell, Ottoline"><meta name="citation_volume" content="1">
<meta name="citation_date" content="2026">`;
