import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import type { Group } from "../../records/sources/group.ts";
import type { NewSource } from "../../records/sources/source.ts";
import type { NewRequest, RequestQueue } from "../../web/request/request.ts";
import { looksLikeOai } from "./offered-lists.ts";

/** The kinds of sources that can be detected. */
export const detectedKinds = [
  "oai-pmh",
  "feed",
  "page-with-list",
  "sitemap",
  "article",
  "journal-page",
] as const;

/** The result of a detection: a source to review and save, or the reason why none was detected. */
export type DetectionResult =
  | {
      type: "found";
      kind: (typeof detectedKinds)[number];
      /** A sentence that says what was found, and where. */
      detail: string;
      /** The proposed source. It delivers nothing until an operator changes its mode. */
      source: NewSource & { deliveryMode: "NONE" };
    }
  | { type: "nothing"; detail: string };

/** The detection of the source behind an address that an operator has entered. */
export interface Detection {
  detectionId: string;
  url: string;
  groupId: string;
  /** ISO 8601, UTC. */
  requestedAt: string;
  /** Absent while the result is unknown. */
  result?: DetectionResult;
}

export interface DetectionStore {
  create(detection: Detection): Promise<void>;
  finish(detectionId: string, result: DetectionResult): Promise<void>;
  get(detectionId: string): Promise<Detection | undefined>;
}

/** The maximum number of requests of a detection. */
const maxRequests = 6;

/** What a request of a detection carries to its response. */
export const detectionContext = z.object({
  detectionId: z.string(),
  groupId: z.string(),
  /** The addresses to try if this address is not a source. */
  left: z.array(z.string()),
  /** The page that offers these addresses. */
  page: z.object({ url: z.string(), title: z.string().optional() }).optional(),
  asked: z.number().int(),
});
export type DetectionContext = z.output<typeof detectionContext>;

/** Starts a detection. Requests may wait in the gate, so the result is fetched later by the id of the detection. */
export async function requestDetection(
  { url, group }: { url: string; group: Pick<Group, "groupId" | "userAgent"> },
  ports: {
    detections: Pick<DetectionStore, "create">;
    requests: RequestQueue;
    clock: Pick<Clock, "now">;
    newId(): string;
  },
): Promise<Detection> {
  const { groupId, userAgent } = group;
  const requestedAt = ports.clock.now().toISOString();
  const detection = { detectionId: ports.newId(), url, groupId, requestedAt };
  await ports.detections.create(detection);
  const context = { detectionId: detection.detectionId, groupId, left: firstAddresses(url), asked: 0 };
  const first = askNext(context, userAgent);
  if (first !== undefined) await ports.requests.send([first]);
  return detection;
}

/**
 * Returns the addresses to request first. If an address looks like that of a repository, Identify is requested before
 * the address itself.
 */
function firstAddresses(url: string): string[] {
  const address = new URL(url);
  if (!looksLikeOai(address)) return [url];
  address.search = "?verb=Identify";
  return [...new Set([address.href, url])];
}

/** Returns the request for the next address; undefined when there is none, or too many were requested. */
export function askNext(
  { left, asked, ...context }: DetectionContext,
  userAgent: string | undefined,
): NewRequest | undefined {
  const [url, ...others] = left;
  if (url === undefined || asked >= maxRequests) return undefined;
  return {
    id: digest("detection", context.detectionId, url),
    kind: "detection",
    url,
    ...(userAgent !== undefined && { userAgent }),
    context: { ...context, left: others, asked: asked + 1 },
  };
}
