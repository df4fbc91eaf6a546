import { expect, it } from "vitest";
import { draftCheck } from "../../../../shared/links/check/link-check.ts";
import { findWithdrawalReason } from "../../../../shared/links/check/withdrawn.ts";
import {
  type Collection,
  collection,
  defaultCollection,
} from "../../../../shared/links/status/collection.ts";
import { type NewRequest, outboundRequest } from "../../../../shared/web/request/request.ts";

const url = "https://a.example/1";
const check = {
  checkId: "y",
  recordId: "c-1",
  collectionId: "c",
  requestedAt: "2026-11-20T12:00:00Z",
  purpose: { type: "record" as const, attempt: 1 },
};
const rule = defaultCollection("c").rule;
const scheduled = draftCheck(url, check, { rule });
const sampled = draftCheck(url, { ...check, known: { rule, isSuppressed: false } }, { rule });

const checked = collection.parse({ collectionId: "c", title: "c" });
const held = { ...checked, hold: true };
const inactive = { ...checked, rule: { ...rule, active: false } };

it.each<[string, NewRequest, Collection | undefined, string | undefined]>([
  ["of an active collection → wanted", scheduled, checked, undefined],
  ["of a collection without configuration → wanted", scheduled, undefined, undefined],
  ["of a held collection → withdrawn", scheduled, held, "collection c is held"],
  ["of a collection with an inactive rule → withdrawn", scheduled, inactive, "collection c is not checked"],
  ["of a sweep of a held collection → withdrawn", sampled, held, "collection c is held"],
  [
    "with an invalid context → wanted, its reader rejects it",
    { ...scheduled, context: { a: 1 } },
    held,
    undefined,
  ],
  ["of another kind → wanted", { ...scheduled, kind: "page" }, held, undefined],
])("a check %s", async (_title, request, stored, why) => {
  const collections = { get: async () => stored && { collection: stored } };
  expect(await findWithdrawalReason(outboundRequest.parse(request), { collections })).toBe(why);
});

const purpose = { type: "collection" as const, sweepId: "s" };
const ofSweep = draftCheck(url, { ...check, purpose }, { rule });

it.each([
  ["a sweep → withdrawn", ofSweep, "its host is paused by anna"],
  ["a record → wanted, it waits", scheduled, undefined],
])("a check at a paused host, of %s", async (_title, request, why) => {
  const collections = { get: async () => ({ collection: checked }) };
  const pause = { since: check.requestedAt, by: "anna", reason: "moving" };
  expect(await findWithdrawalReason(outboundRequest.parse(request), { collections, pause })).toBe(why);
});
