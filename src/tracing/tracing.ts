import type { Tracing } from './opentelemetry.ts';

/** Where the standard variables say to send traces; null where they do not. */
interface TracingSettings {
  readonly endpoint: string | null;
  readonly tracesEndpoint: string | null;
  readonly isDisabled: string;
}

/**
 * Opens traces where OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set: nothing of OpenTelemetry
 * is loaded where neither is. The other standard variables are read by its own packages.
 */
export async function openTracing(
  { endpoint, tracesEndpoint, isDisabled }: TracingSettings,
  options: { readonly version: string; readonly routeOf: (url: string) => string },
): Promise<Tracing | null> {
  if (isDisabled === 'true' || (endpoint === null && tracesEndpoint === null)) return null;
  const { startTracing } = await import('./opentelemetry.ts');
  return startTracing(options);
}
