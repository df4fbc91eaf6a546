const ignore = () => {};

/**
 * A logger for the SDK's clients that logs nothing, like their default logger. The default logger has a method `info`,
 * for which the SDK copies the input and output of each call. Without this method, a call takes a tenth less time. The
 * SDK checks at run time whether the method exists, but its type requires the method, hence the cast.
 */
export const silentLogger = {
  trace: ignore,
  debug: ignore,
  warn: ignore,
  error: ignore,
} as unknown as Logger;

interface Logger {
  trace(...content: unknown[]): void;
  debug(...content: unknown[]): void;
  info(...content: unknown[]): void;
  warn(...content: unknown[]): void;
  error(...content: unknown[]): void;
}
