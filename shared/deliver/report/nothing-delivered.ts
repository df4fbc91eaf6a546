import { pluralize } from "../../core/pluralize.ts";
import type { RunReport } from "./report.ts";

/**
 * Returns why a live run with sources has delivered nothing, if the cause is a fault of Ingather or of the network:
 * none of the requested data arrived. A day without new articles and refused records are not faults.
 * @returns undefined for a run that has delivered, or that had nothing to deliver
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
