import { parseJson } from "../../core/parse-json.ts";
import { describeProblems } from "../../core/schema-problems.ts";
import { type ManifestDocument, manifest, manifestDocument, type UploadOutcome } from "./upload.ts";

/** The entry of an archive that says what its other entries are. */
export const manifestName = "manifest.json";

export const maxManifestBytes = 10_000_000;

export interface ReadManifest {
  documents: ManifestDocument[];
  /** Documents that are not described validly, or again, by number or identifier. */
  refused: UploadOutcome[];
}

/**
 * Reads a manifest. A document that is not described validly is refused, the others are read.
 * @returns why it says nothing at all, when it is not a list of documents
 */
export function readManifest(text: string): ReadManifest | { problem: string } {
  const json = parseJson(text.replace(/^\uFEFF/, ""));
  if (json === undefined) return { problem: `${manifestName} is not JSON` };
  const list = manifest.safeParse(json);
  if (!list.success) return { problem: `${manifestName}: ${describeProblems(list.error)}` };
  const documents = new Map<string, ManifestDocument>();
  const refused: UploadOutcome[] = [];
  for (const [place, described] of list.data.documents.entries()) {
    const { data, error } = manifestDocument.safeParse(described);
    const name = nameOf(described) ?? `document ${place + 1}`;
    if (error !== undefined) refused.push(refusal(name, describeProblems(error)));
    else if (documents.has(data.identifier))
      refused.push(refusal(name, "an earlier document has its identifier"));
    else documents.set(data.identifier, data);
  }
  return { documents: [...documents.values()], refused };
}

function nameOf(described: unknown): string | undefined {
  const { identifier } = (described ?? {}) as { identifier?: unknown };
  return typeof identifier === "string" && identifier !== "" ? identifier.slice(0, 2000) : undefined;
}

function refusal(name: string, reason: string): UploadOutcome {
  return { type: "document", name, outcome: "refused", reason };
}
