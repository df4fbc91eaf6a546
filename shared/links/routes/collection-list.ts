import * as z from "zod";
import { pageQuery } from "../../api/paging.ts";
import { hasWords } from "../../core/has-words.ts";
import {
  type Collection,
  collectionStatusOf,
  type StoredCollection,
  type UnusableCollection,
} from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import type { LinkStatus } from "../status/link-status.ts";
import type { ListSuppressedCollections } from "../status/suppressed-collection.ts";

export interface CollectionListPorts {
  collections: Pick<CollectionStore, "all" | "page" | "many" | "linkStatuses" | "linkStatusesOf">;
  suppressedCollections: ListSuppressedCollections;
}

const states = ["active", "suppressed", "deleted", "held", "invalid"] as const;

export const collectionListQuery = pageQuery({ most: 1000, otherwise: 200 }).extend({
  q: z.string().max(200).optional().describe("Only collections with all these words in title or id"),
  state: z.enum(states).optional().describe("`held`: suppressed by an operator, regardless of its links"),
});
type CollectionListQuery = z.output<typeof collectionListQuery>;

type Known = Collection | UnusableCollection;

/** The maximum number of collections of each kind: those that checks suppress, and those that operators hold. */
const maxHidden = 5000;

/** Returns a page of the collections that match the query, sorted by id, each with its link status. */
export async function listCollections(query: CollectionListQuery, ports: CollectionListPorts) {
  const { limit, q, state, after = "" } = query;
  const found =
    state === "suppressed" || state === "held"
      ? await hidden(state, ports)
      : q === undefined && state === undefined
        ? (await ports.collections.page({ limit: limit + 1, after: query.after })).map(knownOf)
        : await allOf(ports);
  const isAll = state === undefined || state === "invalid";
  // A list without a `state` needs only the statuses of its page. A filter by another state needs all statuses.
  const statuses = isAll ? undefined : await statusesOf(found, state, ports);
  const left = found
    .filter((each) => each.collectionId > after && matches(each, q))
    .filter((each) => state === undefined || stateOf(each, statuses?.get(each.collectionId)) === state)
    .sort((a, b) => (a.collectionId < b.collectionId ? -1 : 1));
  const page = left.slice(0, limit);
  const ids = page.map(({ collectionId }) => collectionId);
  const linkStatuses = statuses ?? (await ports.collections.linkStatusesOf(ids));
  const next = left.length > limit ? page.at(-1)?.collectionId : undefined;
  return { page, linkStatuses, ...(next !== undefined && { next }) };
}

export function isInvalid(known: Known): known is UnusableCollection {
  return "problem" in known;
}

function knownOf(stored: StoredCollection): Known {
  return "collection" in stored ? stored.collection : stored.unusable;
}

async function allOf({ collections }: CollectionListPorts): Promise<Known[]> {
  const { collections: all, unusable } = await collections.all();
  return [...all, ...unusable];
}

async function hidden(state: "suppressed" | "held", ports: CollectionListPorts): Promise<Known[]> {
  const by = state === "held" ? "hold" : "checks";
  const listed = (await ports.suppressedCollections(maxHidden)).filter((each) => each.by === by);
  return (await ports.collections.many(listed.map(({ collectionId }) => collectionId))).map(knownOf);
}

function statusesOf(found: readonly Known[], state: string, { collections }: CollectionListPorts) {
  const isFew = state === "suppressed" || state === "held";
  if (!isFew) return collections.linkStatuses();
  return collections.linkStatusesOf(found.map(({ collectionId }) => collectionId));
}

function stateOf(known: Known, linkStatus: LinkStatus | undefined): (typeof states)[number] {
  if (isInvalid(known)) return "invalid";
  return known.hold ? "held" : collectionStatusOf(known, linkStatus);
}

function matches(known: Known, q = ""): boolean {
  return hasWords(q, [isInvalid(known) ? "" : known.title, known.collectionId]);
}
