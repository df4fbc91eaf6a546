import type { KeyedRequest, KeyedRequestStore } from "../../../shared/api/idempotency.ts";

/** Requests with an `Idempotency-Key`, in memory. */
export function memoryKeyedRequests(stored = new Map<string, KeyedRequest>()): KeyedRequestStore {
  const isStillThis = ({ key, startedAt, fingerprint }: KeyedRequest) => {
    const now = stored.get(key);
    return now?.startedAt === startedAt && now.fingerprint === fingerprint;
  };
  return {
    async begin(request, staleBefore) {
      const known = stored.get(request.key);
      if (known !== undefined && (known.answer !== undefined || known.startedAt >= staleBefore)) return known;
      stored.set(request.key, request);
      return undefined;
    },
    async finish(request, answer) {
      if (isStillThis(request)) stored.set(request.key, { ...request, answer });
    },
    async forget(request) {
      if (isStillThis(request)) stored.delete(request.key);
    },
  };
}
