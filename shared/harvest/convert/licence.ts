import type { Notes } from "./notes.ts";

/** 856 $z: free by the source's configuration (LF, KF) or by what the page says (a note `LF`), else unknown (ZZ). */
export function licenceOf(configured: string | undefined, notes: Notes): "LF" | "KF" | "ZZ" {
  if (configured === "LF" || configured === "KF") return configured;
  return notes.has("LF") ? "LF" : "ZZ";
}
