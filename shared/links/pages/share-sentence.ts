import type { PageRequest } from "../../console/page.ts";
import { percent } from "../../console/parts/time.ts";
import { figure } from "../../console/texts/figure.ts";

/** The share of dead links among those that were judged, with its interval, as the API gives it. */
export interface LinkShare {
  from: string;
  to: string;
  judged: number;
  share?: number;
  low: number;
  high: number;
}

/** `98.2 % are alive (97.9 %–98.5 %, from 8 400 random links of the last 14 days).` */
export function sentenceOfShare({ share = 0, low, high, judged }: LinkShare, request: PageRequest): string {
  return request.texts.collections.estimate(
    percent(1 - share, request),
    `${percent(1 - high, request)}–${percent(1 - low, request)}`,
    figure(judged),
  );
}
