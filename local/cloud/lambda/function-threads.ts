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

/**
 * The threads of a function: one that accepts new invocations, and earlier ones that complete theirs. Invocations share a
 * thread, unless each of them runs alone, as on Lambda.
 */
export class FunctionThreads {
  private readonly start: StartThread;
  private readonly onUnstartable: (error: Error) => void;
  private readonly isShared: boolean;
  private readonly threads = new Set<FunctionThread>();
  private current: FunctionThread | undefined;
  private idleTimer: NodeJS.Timeout | undefined;

  /**
   * @param isShared whether invocations share a thread. Default: true
   * @param onUnstartable called if the system cannot start another thread; the invocation fails with the same
   *   error
   */
  constructor(
    start: StartThread,
    {
      isShared = true,
      onUnstartable = endProcess,
    }: { isShared?: boolean; onUnstartable?: (error: Error) => void } = {},
  ) {
    this.start = start;
    this.isShared = isShared;
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
      if (used.activeInvocations() === 0) {
        if (this.current === used) this.endWhenIdle(used);
        else if (!this.isShared) void used.stop();
      }
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
    const { current } = this;
    if (current !== undefined && (this.isShared || current.activeInvocations() === 0)) return current;
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
