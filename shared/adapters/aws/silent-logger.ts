const ignore = () => {};

/**
 * The logger of the SDK's clients: it logs nothing, as their default. The default has a method `info`, for which the SDK
 * copies the input and output of each call; without it, a call takes a tenth less time. The SDK asks whether there is a
 * method `info`, though its type demands one: hence the cast.
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
