import { expect } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { findCheck } from "../../../../shared/links/check/link-check.ts";
import { findWithdrawalReason } from "../../../../shared/links/check/withdrawn.ts";
import { judgeCheck } from "../../../../shared/links/judge/judge-check.ts";
import { concludeSweep } from "../../../../shared/links/status/stored-sweep.ts";
import { sweepCollections } from "../../../../shared/links/sweep/sweep-collections.ts";
import { type NewRequest, outboundRequest } from "../../../../shared/web/request/request.ts";
import {
  type InboundResponse,
  inboundResponse,
  tooLate,
  withdrawn,
} from "../../../../shared/web/request/response.ts";
import { hourMs, LinkWorld } from "../link-world.ts";
import { mortal } from "../mortal-ports.ts";

export const collectionIds = ["alive-1", "alive-2", "dead-1", "dead-2"];
const anyDeath = 12;

/** A link checker whose queue, hosts, processes and operators behave as badly as they may. */
export class BadWorld {
  readonly world = new LinkWorld();
  readonly held = new Set<string>();
  /** Requests in the queue of the gate, in order. */
  queue: NewRequest[] = [];
  /** Responses whose reader was killed. */
  responses: InboundResponse[] = [];
  /** The gate serves each id once. */
  private readonly served = new Set<string>();
  private readonly due: { atMs: number; request: NewRequest }[] = [];
  private readonly random: () => number;
  private readonly ports: LinkWorld["ports"];
  sent = 0;
  expired = 0;

  constructor(seed: number) {
    this.random = seededRandom(seed);
    const { world } = this;
    world.reply = (url) => (url.includes("dead") ? 404 : 200);
    for (const collectionId of collectionIds)
      world.addCollection({ collectionId, title: collectionId, inconclusiveLimit: 1 });
    this.ports = {
      ...world.ports,
      requests: { send: async (requests) => void this.queue.push(...requests) },
      rechecks: {
        schedule: async (time, request) => {
          if (!this.due.some((each) => each.request.id === request.id))
            this.due.push({ atMs: Date.parse(time), request });
        },
      },
    };
  }

  private upTo(count: number): number {
    return Math.floor(this.random() * count);
  }

  async step(): Promise<void> {
    const dice = this.random();
    if (dice < 0.3) await this.sweep();
    else if (dice < 0.45) this.pass(this.upTo(12) * hourMs + this.upTo(hourMs));
    else if (dice < 0.6) await this.toggleHold();
    else if (dice < 0.63) this.world.networkIsDown = !this.world.networkIsDown;
    else if (this.world.networkIsDown) this.world.networkIsDown = this.random() < 0.8;
    else await this.serve(this.upTo(4));
  }

  /** Time passes, and schedules fire. */
  private pass(ms: number): void {
    this.world.nowMs += ms;
    for (const each of this.due.filter(({ atMs }) => atMs <= this.world.nowMs)) {
      this.due.splice(this.due.indexOf(each), 1);
      this.queue.push(each.request);
    }
  }

  /** Every process may be killed at any write. Some invocations are repeated. */
  private async sweep(): Promise<void> {
    // The queue gives the message of a killed reader again within minutes.
    while (this.responses.length > 0) await this.judge();
    this.pass(1);
    const at = this.world.now;
    for (let times = 1 + this.upTo(2); times > 0; times -= 1)
      await sweepCollections(at, this.mayDie()).catch(ignoreDeath);
  }

  private mayDie(): LinkWorld["ports"] {
    return mortal(this.ports, { write: this.upTo(2 * anyDeath), before: this.random() < 0.5 });
  }

  private async toggleHold(): Promise<void> {
    const collectionId = collectionIds[this.upTo(collectionIds.length)] as string;
    const hold = !this.held.delete(collectionId);
    if (hold) this.held.add(collectionId);
    await this.world.hold(collectionId, hold);
  }

  /** The slow hosts answer a few requests. A message may come twice, and its reader may be killed. */
  private async serve(count: number): Promise<void> {
    const { world } = this;
    for (let served = 0; served < count && !world.networkIsDown; served += 1) {
      const request = this.queue.shift();
      if (request === undefined) break;
      if (this.served.has(request.id)) continue;
      this.served.add(request.id);
      this.responses.push(await this.respond(request));
      if (this.random() < 0.1) this.responses.push(...this.responses.slice(-1));
    }
    await this.judge();
  }

  private async judge(): Promise<void> {
    for (const response of this.responses.splice(0)) {
      await judgeCheck(response, this.mayDie()).catch((error) => {
        ignoreDeath(error);
        this.responses.push(response);
      });
    }
  }

  private async respond(request: NewRequest): Promise<InboundResponse> {
    const { world } = this;
    const why = await findWithdrawalReason(outboundRequest.parse(request), world.ports);
    if (why !== undefined) return refusalOf(request, withdrawn);
    if (request.notAfter !== undefined && world.nowMs > Date.parse(request.notAfter)) {
      this.expired += 1;
      return refusalOf(request, tooLate);
    }
    const collectionId = collectionIdOf(request);
    if (this.held.has(collectionId)) throw new Error(`${request.url} was requested in a hold`);
    this.sent += 1;
    return world.responseTo(request);
  }

  /**
   * The sweeps of each collection that wait for a result, with checks in the queue that would still be made. A check that
   * an outage has sent back may be in the queue although a repetition of its message was judged.
   */
  async openSweeps(): Promise<Map<string, Set<string>>> {
    const open = new Map<string, Set<string>>();
    for (const request of this.queue.filter(({ id }) => !this.served.has(id))) {
      const purpose = findCheck(outboundRequest.parse(request))?.purpose;
      if (purpose?.type !== "collection" || this.world.nowMs > Date.parse(request.notAfter ?? "9999-12-31"))
        continue;
      const sweep = await this.world.ports.sweeps.get(purpose.sweepId);
      if (sweep === undefined || concludeSweep(sweep) !== undefined) continue;
      const collectionId = collectionIdOf(request);
      open.set(collectionId, (open.get(collectionId) ?? new Set()).add(purpose.sweepId));
    }
    return open;
  }
}

export function refusalOf(request: NewRequest, reason: string): InboundResponse {
  return inboundResponse.parse({ request, outcome: { type: "refused", reason, detail: "why" } });
}

function collectionIdOf(request: NewRequest): string {
  return new URL(request.url).hostname.replace(".example", "");
}

function ignoreDeath(error: unknown): void {
  // A sweep names all collections that it could not sweep.
  const errors: unknown[] =
    error instanceof Error && error.cause instanceof AggregateError ? error.cause.errors : [error];
  for (const each of errors) if (!(each instanceof Error) || each.message !== "killed") throw error;
}

/** @returns what the world of this seed did in 300 steps; each sweep, hold and failure was as it must be */
export async function liveBadly(seed: number): Promise<BadWorld> {
  const bad = new BadWorld(seed);
  for (let step = 0; step < 300; step += 1) {
    await bad.step();
    for (const [collectionId, sweeps] of await bad.openSweeps())
      expect(sweeps.size, `${collectionId} at step ${step}`).toBeLessThanOrEqual(1);
  }
  for (const id of ["alive-1", "alive-2"]) {
    const { failures = 0 } = (await bad.world.ports.collections.linkStatus(id)) ?? {};
    expect(failures, id).toBe(0);
  }
  return bad;
}
