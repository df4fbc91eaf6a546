import { figure } from "../texts/figure.ts";

/** The size of a file: `12 kB`, or `3 MB`. */
export function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${figure(Math.ceil(bytes / 1000))} kB`
    : `${figure(Math.round(bytes / 1_000_000))} MB`;
}
