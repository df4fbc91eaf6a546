import { expect, it } from "vitest";
import { draftCheck } from "../../../../shared/links/check/link-check.ts";
import { findWithdrawalReason } from "../../../../shared/links/check/withdrawn.ts";
import {
  type Collection,
  collection,
  defaultCollection,
} from "../../../../shared/links/status/collection.ts";
import { type NewRequest, outboundRequest } from "../../../../shared/web/gate/request.ts";

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

const asked = collection.parse({ collectionId: "c", title: "c" });
const held = { ...asked, hold: true };
const inactive = { ...asked, rule: { ...rule, active: false } };

it.each<[string, NewRequest, Collection | undefined, string | undefined]>([
  ["of a collection that is checked → wanted", scheduled, asked, undefined],
  ["of one that nobody has configured → wanted", scheduled, undefined, undefined],
  ["of one that is held → not", scheduled, held, "collection c is held"],
  ["of one whose rule is inactive → not", scheduled, inactive, "collection c is not to be checked"],
  ["of a sweep, which has looked just before → wanted", sampled, held, undefined],
  ["that is none, for its reader to say so → wanted", { ...scheduled, context: { a: 1 } }, held, undefined],
  ["of another kind → wanted", { ...scheduled, kind: "page" }, held, undefined],
])("a check %s", async (_title, request, stored, why) => {
  const collections = { get: async () => stored && { collection: stored } };
  expect(await findWithdrawalReason(outboundRequest.parse(request), { collections })).toBe(why);
});
