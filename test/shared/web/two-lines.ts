import { type AdmissionPorts, admitRequests } from "../../../shared/web/gate/admit-requests.ts";
import type { GateMessage } from "../../../shared/web/gate/gate-ports.ts";
import { visibilityTimeoutSeconds } from "../../../shared/web/gate/visibility-timeout.ts";
import type { NewRequest } from "../../../shared/web/request/request.ts";
import { memoryHostShares } from "../memory/host-shares.ts";
import { answer, GateWorld, messageOf, startMs } from "./gate-world.ts";

interface Line {
  messages: GateMessage[];
  /** A group is closed while one of its messages is hidden. */
  hiddenUntilMs: number;
}

const exchangeMs = 300;
/** How long a message takes through a queue. */
const deliveryMs = 50;

/**
 * The two lines of one host, as FIFO queues serve them: the gate's, and that of the requests that yield. The second is
 * served during exchanges of the first, too.
 */
export class TwoLines {
  readonly gate: Line = { messages: [], hiddenUntilMs: 0 };
  readonly idle: Line = { messages: [], hiddenUntilMs: 0 };
  readonly shares = memoryHostShares();
  readonly dropped: string[] = [];
  readonly sent: { id: string; atMs: number }[] = [];
  readonly world: GateWorld;
  /** What the gate refuses. */
  readonly withdrawn = new Set<string>();
  private readonly known = new Set<string>();

  constructor() {
    this.world = new GateWorld(
      {},
      {},
      {
        exchange: async ({ url }) => {
          this.sent.push({ id: new URL(url).pathname.slice(1), atMs: this.nowMs });
          await this.serveIdle();
          this.world.nowMs += exchangeMs;
          return answer(200);
        },
        whyWithdrawn: async ({ id }) => (this.withdrawn.has(id) ? "withdrawn" : undefined),
      },
    );
  }

  /** Since the start. */
  get nowMs(): number {
    return this.world.nowMs - startMs;
  }

  /** Requests of a host, which are named by their paths; each id once, as the queue deduplicates. */
  enqueue(line: Line, ids: string[], more: Partial<NewRequest> = {}): void {
    for (const id of ids) {
      if (line === this.gate && this.known.has(id)) continue;
      if (line === this.gate) this.known.add(id);
      const url = `https://journal.example/${id}`;
      const message = messageOf(id, { id, kind: "link", url, obeyRobots: false, ...more });
      line.messages.push({ ...message, attributes: { SentTimestamp: String(this.world.nowMs) } });
    }
  }

  /** Lets time pass until then; what is done at a certain time is done when it has come. */
  async runUntil(untilMs: number, events: { atMs: number; run: () => void }[] = []): Promise<void> {
    const left = [...events].sort((a, b) => a.atMs - b.atMs);
    while (this.nowMs < untilMs) {
      while (left[0] !== undefined && left[0].atMs <= this.nowMs) left.shift()?.run();
      const isServed = (await this.serveGate()) || (await this.serveIdle());
      const times = [this.gate, this.idle]
        .filter(({ messages, hiddenUntilMs }) => messages.length > 0 && hiddenUntilMs > this.nowMs)
        .map(({ hiddenUntilMs }) => hiddenUntilMs);
      const next = Math.min(untilMs, left[0]?.atMs ?? untilMs, ...times);
      this.world.nowMs = startMs + (isServed ? this.nowMs + deliveryMs : Math.max(next, this.nowMs + 1));
    }
  }

  private async serveGate(): Promise<boolean> {
    const [head, ...rest] = this.gate.messages;
    if (head === undefined || this.gate.hiddenUntilMs > this.nowMs) return false;
    // In flight: hidden from other workers, while more may come in.
    this.gate.hiddenUntilMs = Number.POSITIVE_INFINITY;
    const isLeft = (await this.world.serveMessages([head])).length > 0;
    const waitMs = isLeft ? (this.world.returned.at(-1)?.waitMs ?? 0) : 0;
    this.gate.hiddenUntilMs = this.nowMs + visibilityTimeoutSeconds(waitMs) * 1000;
    this.gate.messages = [...(isLeft ? [head] : []), ...rest, ...this.gate.messages.slice(rest.length + 1)];
    return true;
  }

  private async serveIdle(): Promise<boolean> {
    const batch = this.idle.messages.slice(0, 10);
    if (batch.length === 0 || this.idle.hiddenUntilMs > this.nowMs) return false;
    let waitMs = 0;
    const ports: AdmissionPorts = {
      ...this.world.ports,
      returnToQueue: async (_messages, ms) => {
        waitMs = ms;
      },
      shares: this.shares,
      requests: {
        send: async (requests) => {
          for (const { id, ...more } of requests) this.enqueue(this.gate, [id], more);
        },
      },
      reportDropped: (id) => void this.dropped.push(id),
    };
    const left = await admitRequests(batch, ports, { networkWaitMs: 300_000 });
    const isDone = new Set(batch.filter((message) => !left.includes(message)));
    this.idle.messages = this.idle.messages.filter((message) => !isDone.has(message));
    this.idle.hiddenUntilMs = this.nowMs + visibilityTimeoutSeconds(waitMs) * 1000;
    return true;
  }
}
