import { expect, it } from "vitest";
import { type GivenRecord, isSameState, itemStateOf } from "../../../shared/give-back/log/item-state.ts";

const harvested: GivenRecord = {
  recordId: "r",
  sourceId: "s",
  groupId: "g",
  collectionId: "c",
  deliveryMode: "LIVE",
  state: "harvested",
  hash: "h",
  recordKey: "records/r/first",
};
const delivered: GivenRecord = { ...harvested, state: "delivered" };

function stateOf(record: GivenRecord) {
  const state = itemStateOf("r", { record }, new Set());
  if (state === undefined) throw new Error("nothing is given");
  return state;
}

it.each<[string, GivenRecord, GivenRecord, isSame: boolean]>([
  ["a field that the hash leaves out is corrected", delivered, { ...delivered, recordKey: "k/2" }, false],
  ["the same content is harvested again", harvested, { ...harvested, recordKey: "k/2" }, true],
  ["another content is harvested", harvested, { ...harvested, hash: "other" }, false],
  ["it is delivered", harvested, delivered, false],
])("%s → the same for harvesters, or a change", (_what, before, after, isSame) => {
  expect(isSameState(stateOf(before), stateOf(after))).toBe(isSame);
});
