import { type Accepted, HOST_NAME, ON_OFF, oneOf, option, whole } from './option.ts';

const OTLP_ADDRESS: Accepted<string> = {
  takes: 'an address such as http://127.0.0.1:4318',
  read: (text) => (/^https?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
};

export const metrics = {
  port: option(
    'METRICS_PORT',
    'the port of /metrics alone, of what serves and of what takes in; 0 takes any free one; not set: PORT has it, where HOST is this machine alone and there are no TRUSTED_PROXIES',
    null,
    whole(0, 65535),
  ),
  host: option(
    'METRICS_HOST',
    'the address that METRICS_PORT is on; 0.0.0.0 or :: lets other machines in',
    '127.0.0.1',
    HOST_NAME,
  ),
  serverTiming: option(
    'SERVER_TIMING',
    'whether a request with X-Server-Timing gets the times of its steps in Server-Timing',
    'on',
    ON_OFF,
  ),
} as const;

export const scrub = {
  rowsPerSecond: option(
    'SCRUB_ROWS_PER_SECOND',
    'how many rows a second are read again in the background, to find what a disk has spoiled; 0 reads none',
    '0',
    whole(0, 1_000_000),
  ),
} as const;

export const tracing = {
  endpoint: option(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'where traces are sent, as OTLP over HTTP with JSON, below /v1/traces; not set: nowhere. The other variables of OpenTelemetry count too',
    null,
    OTLP_ADDRESS,
  ),
  tracesEndpoint: option(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'the whole address that traces are sent to, in the place of the one before',
    null,
    OTLP_ADDRESS,
  ),
  isDisabled: option(
    'OTEL_SDK_DISABLED',
    'how traces are turned off whatever else is set: true',
    'false',
    oneOf('true', 'false'),
  ),
} as const;

export const log = {
  level: option(
    'LOG_LEVEL',
    'the least severe log line that is written',
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  ),
} as const;
