import { ConfigError } from "../../../shared/core/errors.ts";

/** The limits of a stage in the templates: requests per second, and burst size. */
interface ThrottleSettings {
  readonly ThrottlingRateLimit?: number;
  readonly ThrottlingBurstLimit?: number;
}

export interface StageSettings {
  readonly DefaultRouteSettings?: ThrottleSettings;
  /** The settings of single routes, by route key. */
  readonly RouteSettings?: Readonly<Record<string, ThrottleSettings>>;
}

/**
 * Counts the requests of each route of a stage in a token bucket. The default settings apply to each route
 * without separate settings.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
 */
export class Throttle {
  private readonly buckets = new Map<string, { tokens: number; atMs: number }>();
  private readonly settings: StageSettings;

  /** @throws ConfigError for settings of a route that does not exist, because CloudFormation refuses these */
  constructor(settings: StageSettings, routeKeys: readonly string[]) {
    for (const key of Object.keys(settings.RouteSettings ?? {})) {
      if (!routeKeys.includes(key))
        throw new ConfigError(`RouteSettings: unable to find route by key ${key}`);
    }
    this.settings = settings;
  }

  /** Returns whether a request to the route is permitted now. If so, the request is counted. */
  admits(routeKey: string, nowMs: number): boolean {
    const { RouteSettings = {}, DefaultRouteSettings = {} } = this.settings;
    const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } =
      RouteSettings[routeKey] ?? DefaultRouteSettings;
    if (rate === undefined || burst === undefined) return true;
    const { tokens, atMs } = this.buckets.get(routeKey) ?? { tokens: burst, atMs: nowMs };
    const left = Math.min(burst, tokens + (Math.max(0, nowMs - atMs) / 1000) * rate);
    const isAdmitted = left >= 1;
    this.buckets.set(routeKey, { tokens: isAdmitted ? left - 1 : left, atMs: nowMs });
    return isAdmitted;
  }
}
