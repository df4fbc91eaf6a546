import * as z from "zod";
import { type OriginRule, originRules } from "../rule-ids.ts";
import type { OriginFinding } from "./origin-finding.ts";
import { type Provenance, provenanceFields, type Witness, witnesses } from "./provenance.ts";

/** The witnesses by which records are listed. Most fields are taken from the page. */
export const listedWitnesses = witnesses.filter((witness) => witness !== "page");

/** What lists show, and select, of the origin of a record. */
export const originSummary = z.strictObject({
  witnesses: z
    .partialRecord(z.enum(provenanceFields), z.enum(listedWitnesses))
    .describe("The fields that were not taken from the page, with the witness of each"),
  disagreements: z.array(z.enum(provenanceFields)).describe("The fields in which witnesses disagree"),
});
export type OriginSummary = z.output<typeof originSummary>;

/** Returns undefined when all fields were taken from the page, and no witness contradicts it. */
export function summarizeOrigin(provenance: Provenance = []): OriginSummary | undefined {
  const others = provenance.filter(({ witness }) => isListed(witness));
  const disagreements = provenance.filter(({ disagrees }) => disagrees).map(({ field }) => field);
  if (others.length + disagreements.length === 0) return undefined;
  return {
    witnesses: Object.fromEntries(others.map(({ field, witness }) => [field, witness])),
    disagreements,
  };
}

function isListed(witness: Witness): boolean {
  return listedWitnesses.some((listed) => listed === witness);
}

/** The parameters that select records by their origin. */
export const originQuery = {
  finding: z.enum(originRules).optional().describe("Only records with this finding"),
  witness: z
    .enum(listedWitnesses)
    .optional()
    .describe("Only records with a field that was taken from this witness"),
  field: z
    .enum(provenanceFields)
    .optional()
    .describe("Only if this field was taken from the `witness`, or is one in which witnesses disagree"),
};
export interface OriginSelection {
  finding?: OriginRule | undefined;
  witness?: Witness | undefined;
  field?: Provenance[number]["field"] | undefined;
}

/** Decides whether a record is selected. A `field` without a witness selects the records in which witnesses disagree. */
export function isOriginSelected(
  { finding, witness, field }: OriginSelection,
  {
    origin,
    originFindings = [],
  }: { origin?: OriginSummary | undefined; originFindings?: OriginFinding[] | undefined },
): boolean {
  const { witnesses: from = {}, disagreements = [] } = origin ?? {};
  const isFromWitness =
    field === undefined
      ? Object.values(from).some((one) => one === witness)
      : Object.entries(from).some(([of, one]) => of === field && one === witness);
  const asksForDisagreement =
    finding === "witnesses-disagree" || (witness === undefined && field !== undefined);
  return (
    (finding === undefined || originFindings.some(({ ruleId }) => ruleId === finding)) &&
    (witness === undefined || isFromWitness) &&
    (!asksForDisagreement || field === undefined || disagreements.includes(field))
  );
}
