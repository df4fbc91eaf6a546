import { budgets } from "../../core/budgets.ts";
import { truncateToBytes } from "../../core/truncate-text.ts";
import type { OaiAnswer } from "../../formats/oai/answer.ts";
import type { Completeness } from "../../formats/oai/completeness.ts";
import type { ListState, listRequest } from "../../formats/oai/list-state.ts";
import type { OaiIdentity, OaiMetadataFormat } from "../../formats/oai/page.ts";
import type { FindingId } from "./finding-kinds.ts";
import type { Rating } from "./rate-metadata.ts";

/** A repository, and the list that is checked. */
export interface CheckedRepository {
  /** Without OAI-PMH arguments. */
  baseUrl: string;
  metadataPrefix: string;
  set?: string;
  /** Pages of the list that are read at most. */
  pages: number;
}

/** Something that was seen, often more than once. */
export interface Finding {
  id: FindingId;
  /** The first time: the repository's own words, or what was counted. */
  seen: string;
  times: number;
}

/** What the pages of the list had. */
export interface ListFacts {
  state: ListState;
  /** How it ended; absent while it is read, and if it was read in part. */
  completeness?: Completeness["type"];
  records: number;
  deleted: number;
  repeated: number;
  /** Short digests of the identifiers, to find repeated ones. */
  seen: string[];
  /** The identifiers of the first page, some at most. */
  firstIdentifiers: string[];
  /** A record that is not deleted. */
  example?: { identifier: string; datestamp: string };
  lastDatestamp?: string;
  rating: Rating;
  /** The latest request by a token, and what it gave. */
  byToken?: { state: ListState; digest: string };
}

/** What is known of the repository so far. */
interface Facts {
  identity?: OaiIdentity;
  formats?: OaiMetadataFormat[];
  /** The sets of the first page of ListSets. */
  sets?: { count: number; isWhole: boolean };
  list?: ListFacts;
  /** A page in a format that says more. */
  sample?: { metadataPrefix: string; rating: Rating };
}

/** The check of a repository between two requests, as JSON. */
export interface Checkup extends Facts {
  asked: CheckedRepository;
  /** The place in the list of steps. */
  step: number;
  requests: number;
  /** Requests in a row without a usable response. */
  unanswered: number;
  findings: Finding[];
  end?: { type: "finished" } | { type: "stopped"; reason: string };
}

/** What a step concludes from a response. */
export interface Reading {
  facts?: Facts;
  found?: Found[];
  /** The step has another request. */
  isAgain?: boolean;
}

export type Found = [id: FindingId, seen: string];

/** One of the questions of a check. */
export interface Step {
  /** The request; undefined when there is nothing to ask. */
  request(checkup: Checkup): ReturnType<typeof listRequest> | undefined;
  read(checkup: Checkup, answer: OaiAnswer, now: Date): Reading;
}

export function beginCheckup(asked: CheckedRepository): Checkup {
  return { asked, step: 0, requests: 0, unanswered: 0, findings: [] };
}

/** The findings with further ones; each kind is one finding. */
export function withFound(findings: readonly Finding[], found: readonly Found[]): Finding[] {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  for (const [id, seen] of found) {
    const known = byId.get(id) ?? { id, seen: truncateToBytes(seen, budgets.droppedReasonBytes), times: 0 };
    byId.set(id, { ...known, times: known.times + 1 });
  }
  return [...byId.values()];
}

/** Whether something was found. */
export function hasFound({ findings }: Pick<Checkup, "findings">, ...ids: FindingId[]): boolean {
  return findings.some(({ id }) => ids.includes(id));
}
