import type { NewRequest } from "../../../shared/web/request/request.ts";
import type { ResponseOutcome } from "../../../shared/web/request/response.ts";
import type { InProcessGate } from "./in-process-gate.ts";

/** A repository, and how it is requested. */
export interface OaiTarget {
  /** The base URL, without OAI-PMH parameters. */
  baseUrl: string;
  /** The wait between two requests, in milliseconds. */
  delayMs: number;
  userAgent: string;
}

/** Sends one OAI-PMH request. The gate does not store the response. */
export async function fetchOai(
  request: Pick<NewRequest, "url" | "method" | "body" | "headers">,
  gate: InProcessGate,
  { delayMs, userAgent }: Omit<OaiTarget, "baseUrl">,
): Promise<{ outcome: ResponseOutcome; body: Uint8Array }> {
  const response = await gate.fetch({
    id: crypto.randomUUID(),
    kind: "oai",
    ...request,
    throttleMs: delayMs,
    userAgent,
  });
  const { outcome } = response;
  const key = outcome.type === "answered" ? outcome.bodyKey : undefined;
  const body = key === undefined ? new Uint8Array() : await gate.load(key);
  gate.forget(response);
  return { outcome, body };
}
