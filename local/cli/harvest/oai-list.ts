import { setImmediate } from "node:timers/promises";
import { readOaiAnswer } from "../../../shared/formats/oai/answer.ts";
import {
  followList,
  type ListState,
  type ListTransition,
  listRequest,
} from "../../../shared/formats/oai/list-state.ts";
import type { MetadataWish } from "../../../shared/formats/oai/page-reader.ts";
import type { InProcessGate } from "./in-process-gate.ts";
import { fetchOai, type OaiTarget } from "./oai-exchange.ts";

/**
 * Reads a list through the gate of this process. Yields one transition per response; the last one has the
 * type `end`. The next page is requested before a page is yielded, so that the repository and the caller work
 * at the same time.
 * @throws the signal's reason when the gate's signal is aborted
 */
export async function* readOaiList(
  begin: ListState,
  { gate, target, wish }: { gate: InProcessGate; target: OaiTarget; wish: MetadataWish },
): AsyncGenerator<ListTransition> {
  const request = async (state: ListState) => {
    const { outcome, body } = await fetchOai(listRequest(target.baseUrl, state), gate, target);
    return readOaiAnswer(outcome, body, wish);
  };
  let state = begin;
  let answer = request(state);
  for (;;) {
    const transition = followList(state, await answer, { expectsRecords: false });
    if (transition.type === "end") {
      yield transition;
      return;
    }
    state = transition.next;
    answer = request(state);
    // The response is awaited after the caller has processed the page.
    answer.catch(() => {});
    await requestSent();
    yield transition;
  }
}

/**
 * Waits until the next request is sent. undici reuses a connection only after one turn of the event loop;
 * without this wait, the caller's work would delay the request.
 */
async function requestSent(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
