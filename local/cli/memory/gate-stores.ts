import { PlatformError } from "../../../shared/core/errors.ts";
import type { CachedAnswer, ValidatorStore } from "../../../shared/web/chain/conditional.ts";
import type { GatePorts } from "../../../shared/web/gate/gate-ports.ts";
import { type HostState, newHost } from "../../../shared/web/gate/host-state.ts";
import type { RobotsStore } from "../../../shared/web/robots/robots-store.ts";

/** Stores host states in memory, with optimistic locking by version. A state is never mutated. */
export function memoryHosts(states = new Map<string, HostState>()): GatePorts["hosts"] {
  return {
    load: async (hostKey) => states.get(hostKey) ?? newHost(hostKey),
    save: async (state) => {
      if ((states.get(state.hostKey)?.version ?? 0) !== state.version) return false;
      states.set(state.hostKey, { ...state, version: state.version + 1 });
      return true;
    },
  };
}

/** Stores robots.txt files in memory. */
export function memoryRobots(): RobotsStore {
  const texts = new Map<string, string>();
  return {
    store: async (origin, text) => {
      const key = `robots/${origin}`;
      texts.set(key, text);
      return key;
    },
    async load(key) {
      const text = texts.get(key);
      // Throws, because an empty robots.txt would allow everything.
      if (text === undefined) throw new PlatformError(`no robots.txt is stored as ${key}`);
      return text;
    },
  };
}

/** Stores earlier responses and their validators in memory, for conditional requests. */
export function memoryValidators(kept = new Map<string, CachedAnswer>()): ValidatorStore {
  return {
    recall: async (key) => kept.get(key),
    recallAll: async (keys) =>
      new Map(
        keys.flatMap((key) => {
          const answer = kept.get(key);
          return answer === undefined ? [] : [[key, answer] as const];
        }),
      ),
    remember: async (key, validators) => void kept.set(key, validators),
  };
}
