// Input: what the witnesses of one article say. Output: one item, completed by the registration agency of its DOI, with
// its origin. Called by convert-article.ts.

import type { Clock } from "../../core/clock.ts";
import type { Notice } from "../../formats/registered/registered-work.ts";
import type { ZoteroItem } from "../../formats/zotero-item.ts";
import type { KnownReason } from "../../records/archive/known-reason.ts";
import type { OriginFinding } from "../../records/origin/origin-finding.ts";
import type { Provenance } from "../../records/origin/provenance.ts";
import type { Group } from "../../records/sources/group.ts";
import type { Source } from "../../records/sources/source.ts";
import { agenciesOf, lookUpDoi } from "../doi-agencies/look-up-doi.ts";
import type { LookupContext, LookupPorts } from "../lookups/look-up.ts";
import { mergeStatements } from "../witnesses/merge-statements.ts";
import { disagreementFindings, noticeFindings } from "../witnesses/origin-findings.ts";
import type { Statements } from "./article-content.ts";

/** Where the metadata of an article come from, and what is remarkable about it. */
export interface Origin {
  provenance: Provenance;
  findings: OriginFinding[];
  notices: Notice[];
}

type CompletedStatements =
  | { type: "completed"; item: ZoteroItem; origin: Origin; warnings: string[] }
  /** The archive has the article, so that no agency is asked. */
  | { type: "known"; as: KnownReason }
  /** An agency is being asked. */
  | { type: "waiting" };

interface CompletionContext extends LookupContext {
  source: Source;
  group: Group;
  doi: string | undefined;
  /** YYYY-MM-DD. */
  today: string;
  isKnown: () => Promise<KnownReason | undefined>;
}

/** Merges the statements with that of the registration agency of the article's DOI, if the source wants it. */
export async function completeStatements(
  statements: Statements,
  { doi, isKnown, ...context }: CompletionContext,
  ports: LookupPorts & { clock: Clock },
): Promise<CompletedStatements> {
  const { source, group } = context;
  if (doi !== undefined && agenciesOf(source, group).length > 0) {
    const as = await isKnown();
    if (as !== undefined) return { type: "known", as };
  }
  const registered = await lookUpDoi(doi, context, ports);
  if (registered === undefined) return { type: "waiting" };
  const { notices, warnings } = registered;
  const { item, provenance } = mergeStatements([...statements, ...registered.statements]);
  const held = source.heldFindings ?? group.heldFindings;
  const findings = [...noticeFindings(notices, doi, held), ...disagreementFindings(provenance, held)];
  return { type: "completed", item, origin: { provenance, findings, notices }, warnings };
}
