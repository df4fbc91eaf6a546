import { pluralize } from "../../core/pluralize.ts";
import type { RunReport } from "./report.ts";

/**
 * Why a live run with sources has delivered nothing, if that is a fault of Ingather or of the network: nothing that it
 * asked for came. A day without news, and records that were refused, are not a fault.
 * @returns undefined for a run that has delivered, or had nothing to deliver
 */
export function whyNothingDelivered({ run, sources, totals }: RunReport): string | undefined {
  if (run.deliveryMode !== "LIVE" || totals.delivered > 0 || sources.length === 0) return undefined;
  if (sources.every(({ state }) => state === "failed")) {
    return `none of ${pluralize(sources.length, "source")} could be read`;
  }
  const sum = (count: "requested" | "unanswered") =>
    sources.reduce((total, source) => total + source[count], 0);
  const requested = sum("requested");
  if (requested === 0 || sum("unanswered") < requested) return undefined;
  return `none of ${pluralize(requested, "requested article")} was answered`;
}
