import { ConfigError } from "../../../shared/core/errors.ts";

/** The limits of a stage in the templates: requests per second, and at once. */
interface ThrottleSettings {
  readonly ThrottlingRateLimit?: number;
  readonly ThrottlingBurstLimit?: number;
}

export interface StageSettings {
  readonly DefaultRouteSettings?: ThrottleSettings;
  /** By route key. */
  readonly RouteSettings?: Readonly<Record<string, ThrottleSettings>>;
}

/**
 * Counts the requests of each route of a stage in a token bucket. The default settings are those of each route that has
 * none of its own.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
 */
export class Throttle {
  private readonly buckets = new Map<string, { tokens: number; atMs: number }>();
  private readonly settings: StageSettings;

  /** @throws ConfigError for settings of a route that does not exist: CloudFormation refuses them */
  constructor(settings: StageSettings, routeKeys: readonly string[]) {
    for (const key of Object.keys(settings.RouteSettings ?? {})) {
      if (!routeKeys.includes(key))
        throw new ConfigError(`RouteSettings: unable to find route by key ${key}`);
    }
    this.settings = settings;
  }

  /** Whether a request to the route may pass now; it counts if so. */
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
