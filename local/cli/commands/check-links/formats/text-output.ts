import type { Verdict } from "../../../../../shared/links/verdict/verdict.ts";
import { printable } from "../../printable.ts";
import { describePlace, type LinkOutput, type ReportedLink } from "./link-output.ts";

/** The maximum number of places shown per link. */
const maxPlaces = 3;

export type Paint = (text: string, verdict: Verdict) => string;

/** Writes one line per link for people: verdict, URL, reason and place. */
export class TextOutput implements LinkOutput {
  private readonly paint: Paint;

  /** @param paint colours a verdict */
  constructor(paint: Paint = (text) => text) {
    this.paint = paint;
  }

  add({ verdict, url, reason, places, checkedAt, matchedText, hops }: ReportedLink): string {
    const warnings = hops.flatMap(({ warning }) => (warning === undefined ? [] : [`; ${warning}`])).join("");
    const matched = matchedText === undefined ? "" : `: "${matchedText.slice(0, 80)}"`;
    const cached = checkedAt === undefined ? "" : `  (checked ${checkedAt})`;
    const said = `${url}  ${reason}${matched}${warnings}${cached}${describePlaces(places.map(describePlace))}`;
    return `${this.paint(verdict.padEnd(12), verdict)} ${printable(said)}\n`;
  }

  finish(): string {
    return "";
  }
}

function describePlaces(places: readonly string[]): string {
  if (places.length === 0) return "";
  const more = places.length - maxPlaces;
  const shown = places.slice(0, maxPlaces).join(", ");
  return `  in ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}
