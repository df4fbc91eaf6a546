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
 * Reads a list through the gate of this process, one transition per answer; the last one is of the type `end`. The next
 * page is requested before a page is passed on, so that the repository works while the caller does.
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
    // Awaited after the caller has taken the page.
    answer.catch(() => {});
    await requestSent();
    yield transition;
  }
}

/**
 * undici lets a round of the event loop pass before it uses a connection again. Without this wait, the caller's work would
 * come before the next request.
 */
async function requestSent(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
