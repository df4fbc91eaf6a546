import { beforeEach, describe, expect, it } from "vitest";
import { RemoteError } from "../../../../shared/core/errors.ts";
import { resendSubject } from "../../../../shared/deliver/routes/resend-routes.ts";
import { deliverySortKey } from "../../../../shared/deliver/stage-results/delivery.ts";
import { type Resend, type ResendRequest, resendFile } from "../../../../shared/deliver/upload/resend.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { deliver, harvested, ordinary, sftpDestination } from "../run-world.ts";

const runId = "live-20261120T190000Z";

let memory: MemoryPorts;
let stored: Map<string, Resend>;
let queue: ResendRequest[];
let ids: number;
beforeEach(async () => {
  memory = new MemoryPorts();
  stored = new Map();
  queue = [];
  ids = 0;
  harvested(memory, runId, ordinary.slice(0, 2), { group: { destination: sftpDestination } });
  await deliver(runId, memory);
});

const resends = {
  get: async (sortKey: string) => stored.get(sortKey),
  start: async (sortKey: string, resend: Resend, notBefore: string) => {
    const known = stored.get(sortKey);
    if (known?.state !== "waiting" || known.requestedAt < notBefore) stored.set(sortKey, resend);
    return stored.get(sortKey) ?? resend;
  },
  finish: async (sortKey: string, resendId: string, end: object) => {
    const known = stored.get(sortKey);
    if (known?.resendId === resendId && known.state === "waiting") stored.set(sortKey, { ...known, ...end });
  },
};

function idOf(): string {
  const [delivery] = [...memory.deliveriesByKey.values()];
  return Buffer.from(deliverySortKey(delivery as never)).toString("base64url");
}

async function ask(method: string, id = idOf()) {
  const { deliveries, clock } = memory;
  const resendQueue = { send: async (message: ResendRequest) => void queue.push(message) };
  const newId = () => `${++ids}`;
  const app = serve([resendSubject], { deliveries, clock, resends, resendQueue, newId });
  const answer = await app.request(`/deliveries/${id}/resend`, { method });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

/** Reads what is queued, each message twice. */
async function work(): Promise<void> {
  const { deliveries, sources, sftp, clock } = memory;
  for (const message of queue.splice(0)) {
    for (const _time of [1, 2]) await resendFile(message, { deliveries, sources, sftp, clock, resends });
  }
}

describe("a delivered file sent again", () => {
  it("its receiver has taken it away → there again, as it was; once, however often its message comes", async () => {
    expect(memory.received).toHaveLength(1);
    expect(await ask("POST")).toMatchObject({ status: 202, body: { status: "waiting", by: "operator" } });
    expect((await ask("GET")).status).toBe(202);
    await ask("POST");
    expect(new Set(queue.map(({ resendId }) => resendId)).size).toBe(1);
    await work();
    expect(memory.received).toHaveLength(2);
    expect(memory.received[1]).toEqual(memory.received[0]);
    expect(memory.remote.size).toBe(0);
    expect(await ask("GET")).toMatchObject({
      status: 200,
      body: { status: "sent", endedAt: expect.any(String) },
    });
  });

  it.each<[string, () => void, Partial<Resend>, number]>([
    [
      "the receiver refuses the login",
      () => void memory.deadReceivers.set("Test", "login refused"),
      { state: "failed", reason: "login refused" },
      1,
    ],
    [
      "the receiver refuses the name",
      () => {
        memory.refusal = new RemoteError("no permission");
      },
      { state: "failed", reason: "no permission" },
      1,
    ],
    [
      "the receiver still has it",
      () => {
        const [[path, content] = ["", new Uint8Array()]] = memory.received;
        memory.remote.set(path, content);
      },
      { state: "sent", remark: expect.stringMatching(/already existed/) as never },
      1,
    ],
    [
      "the group has gone",
      () => void memory.groups.delete("Test"),
      { state: "failed", reason: "there is no group Test" },
      1,
    ],
    [
      "the group fetches its files",
      () => memory.addGroup("Test"),
      { state: "failed", reason: expect.stringMatching(/no receiver/) as never },
      1,
    ],
  ])("%s → says so, and can be asked for again", async (_what, happens, end, received) => {
    happens();
    await ask("POST");
    await work();
    const { state, ...more } = end;
    expect((await ask("GET")).body).toMatchObject({ status: state, ...more });
    expect(memory.received).toHaveLength(received);
    expect([...memory.remote.keys()].filter((path) => path.endsWith(".tmp"))).toEqual([]);
    expect((await ask("POST")).status).toBe(202);
    expect(queue).toHaveLength(1);
  });

  it("an unknown file, or one never sent again → 404", async () => {
    expect((await ask("GET")).status).toBe(404);
    expect((await ask("POST", "bm9uZQ")).body.detail).toMatch(/no delivery bm9uZQ/);
  });
});
