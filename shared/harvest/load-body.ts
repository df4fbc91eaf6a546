import type { BodyReader } from "../web/gate/bodies.ts";
import type { ResponseOutcome } from "../web/request/response.ts";

/** Loads the body of a response. It is empty when there was no response, or the response had no body. */
export async function loadBody(outcome: ResponseOutcome, bodies: BodyReader): Promise<Uint8Array> {
  const key = outcome.type === "answered" ? outcome.bodyKey : undefined;
  return key === undefined ? new Uint8Array() : bodies.load(key);
}
