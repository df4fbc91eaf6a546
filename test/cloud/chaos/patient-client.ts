import { scheduler } from "node:timers/promises";
import type { LocalCloud } from "../../../local/cloud/cloud.ts";

/** A caller of the API who repeats each request until it succeeds, as clients of AWS do: under one Idempotency-Key. */
export class PatientClient {
  private readonly cloud: LocalCloud;

  constructor(cloud: LocalCloud) {
    this.cloud = cloud;
  }

  async ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    const key = crypto.randomUUID();
    const authorization = `Bearer ${await this.cloud.issueToken({ sub: "operator@localhost" })}`;
    const headers = { authorization, "content-type": "application/json", "idempotency-key": key };
    const answer = await repeated(() =>
      fetch(`${this.cloud.apiUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
    );
    return (await answer.json()) as Body;
  }

  async put(url: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
    await repeated(() => fetch(url, { method: "PUT", body }));
  }
}

/** Faults are 5xx, or 409 while the first request with a key is under way. Others are answers. */
async function repeated(request: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await request().catch(() => undefined);
    if (answer?.ok) return answer;
    if (answer !== undefined && answer.status < 500 && answer.status !== 409)
      throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
    await scheduler.wait(100);
  }
}
