/** Cleanup functions that run in reverse order of their addition. */
export interface Shutdown {
  add(step: () => Promise<unknown> | unknown): void;
  run(): Promise<void>;
}

export function createShutdown(): Shutdown {
  const steps: (() => Promise<unknown> | unknown)[] = [];
  return {
    add: (step) => void steps.push(step),
    run: async () => {
      for (const step of steps.splice(0).reverse()) await step();
    },
  };
}
