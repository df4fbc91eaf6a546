import { figure } from "../texts/figure.ts";

/** Formats the size of a file, such as `12 kB` or `3 MB`. */
export function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${figure(Math.ceil(bytes / 1000))} kB`
    : `${figure(Math.round(bytes / 1_000_000))} MB`;
}
