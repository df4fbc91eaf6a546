import { type FunctionThread, type Invocation, unstartable } from "./worker.ts";

/**
 * The time after which an idle thread is ended. Each thread takes 50 MB, and a run uses only a few at a time.
 */
const maxIdleMs = 10_000;

/**
 * Starts a thread.
 * @param events `onRetired`: it accepts no more work; `onExit`: it has ended; `onUnstartable`: the system
 *   cannot start it
 */
type StartThread = (events: {
  onRetired: () => void;
  onExit: () => void;
  onUnstartable: (error: Error) => void;
}) => FunctionThread;

/**
 * Ends this process, because no function can run without threads, and each message would be received again
 * and again. The state is kept.
 */
function endProcess(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

/** The threads of a function: one that accepts new invocations, and earlier ones that complete theirs. */
export class FunctionThreads {
  private readonly start: StartThread;
  private readonly onUnstartable: (error: Error) => void;
  private readonly threads = new Set<FunctionThread>();
  private current: FunctionThread | undefined;
  private idleTimer: NodeJS.Timeout | undefined;

  /**
   * @param onUnstartable called if the system cannot start another thread; the invocation fails with the same
   *   error
   */
  constructor(start: StartThread, onUnstartable: (error: Error) => void = endProcess) {
    this.start = start;
    this.onUnstartable = onUnstartable;
  }

  /**
   * Runs an invocation. @throws FunctionError if the function threw an error, timed out, or its thread ended
   */
  async run(invocation: Invocation): Promise<unknown> {
    const used = this.thread();
    try {
      return await used.run(invocation);
    } finally {
      if (this.current === used && used.activeInvocations() === 0) this.endWhenIdle(used);
    }
  }

  activeInvocations(): number {
    return [...this.threads].reduce((sum, each) => sum + each.activeInvocations(), 0);
  }

  /** Ends the threads. Invocations that arrive meanwhile get a new thread. */
  kill(): Promise<void> {
    this.current = undefined;
    return this.stop();
  }

  async stop(): Promise<void> {
    clearTimeout(this.idleTimer);
    await Promise.all([...this.threads].map((each) => each.stop()));
  }

  private thread(): FunctionThread {
    if (this.current !== undefined) return this.current;
    const started = this.startOrReport({
      onRetired: () => {
        if (this.current === started) this.current = undefined;
      },
      onExit: () => void this.threads.delete(started),
      onUnstartable: this.onUnstartable,
    });
    this.threads.add(started);
    this.current = started;
    return started;
  }

  private startOrReport(events: Parameters<StartThread>[0]): FunctionThread {
    try {
      return this.start(events);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === unstartable) {
        this.onUnstartable(error as Error);
      }
      throw error;
    }
  }

  private endWhenIdle(idle: FunctionThread): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => {
      if (this.current !== idle || idle.activeInvocations() > 0) return;
      this.current = undefined;
      void idle.stop();
    }, maxIdleMs).unref();
  }
}
