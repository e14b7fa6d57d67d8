import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { GatewayError } from '../../errors.ts';
import { errorBody } from '../write/error-body.ts';
import { exchangeOf } from '../write/exchange.ts';
import { writeJson } from '../write/json.ts';

/** What is served here. */
export const HEALTH_PATHS = ['/health', '/health/live', '/health/ready'] as const;

export type HealthPath = (typeof HEALTH_PATHS)[number];

/** Something that the gateway cannot serve without. */
export interface ReadinessCheck {
  readonly name: string;
  /** Gives null when all is well, else the reason for whoever asks; what it throws is logged and not shown. */
  readonly check: (signal: AbortSignal) => Promise<string | null>;
}

export interface HealthOptions {
  /** How long each check may take. */
  readonly timeoutMs?: number;
  /** What whoever runs the gateway is told besides. */
  readonly describe?: () => object;
}

export interface Health {
  /** Answers a GET or HEAD of one of the paths. */
  answer(path: HealthPath, request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** From now on not ready: the process is about to stop, and should be sent no more requests. */
  startDraining(): void;
}

/**
 * Liveness (200 for as long as the process answers at all) and readiness (200, or 503 with a reason for each failed
 * check), the latter also at `/health`, as the `ok` that load balancers of the reference ask for. Each check has `timeoutMs`; probes that come while the checks run share their outcome, so that
 * probing costs the database nothing more however often it is done. What `describe` gives stands in the answer, whether
 * it is ready or not.
 */
export function createHealth(
  checks: readonly ReadinessCheck[],
  logger: Logger,
  { timeoutMs = 2000, describe = () => ({}) }: HealthOptions = {},
): Health {
  let draining = false;
  let running: Promise<readonly Outcome[]> | undefined;
  const outcomes = () => {
    running ??= Promise.all(checks.map((check) => runCheck(check, logger, timeoutMs))).finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    async answer(path, request, response) {
      response.setHeader('Cache-Control', 'no-store');
      if (path === '/health/live') return writeJson(request, response, 200, { status: 'live' });
      const found = draining ? [] : await outcomes();
      // A stop may have begun meanwhile.
      const failed = draining ? [STOPPING] : found.filter(({ reason }) => reason !== null);
      if (failed.length > 0) {
        response.setHeader('Retry-After', '1');
        const body = { ...notReadyBody(failed, exchangeOf(response).id), ...describe() };
        return writeJson(request, response, 503, body);
      }
      if (path === '/health') return writeOk(request, response);
      writeJson(request, response, 200, { status: 'ready', ...describe() });
    },
    startDraining() {
      draining = true;
    },
  };
}

function writeOk({ method }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.setHeader('Content-Length', OK.length);
  response.end(method === 'HEAD' ? undefined : OK);
}

const OK = 'ok';

interface Outcome {
  readonly name: string;
  readonly reason: string | null;
}

const STOPPING: Outcome = { name: 'gateway', reason: 'is stopping' };

async function runCheck(
  { name, check }: ReadinessCheck,
  logger: Logger,
  timeoutMs: number,
): Promise<Outcome> {
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Promise<string>((resolve) => {
    signal.addEventListener('abort', () => resolve(`gave no answer within ${timeoutMs} ms`), { once: true });
  });
  const answer = check(signal).catch((err: unknown) => {
    if (!signal.aborted) logger.warn({ err, check: name }, 'readiness check failed');
    return 'failed; the log has the reason';
  });
  return { name, reason: await Promise.race([answer, late]) };
}

/** The error body, with each reason as a violation of google.rpc.PreconditionFailure. */
function notReadyBody(failed: readonly Outcome[], requestId: string) {
  const message = `Not ready: ${failed.map(({ name, reason }) => `${name} ${reason}`).join('; ')}.`;
  return {
    ...errorBody(new GatewayError('UNAVAILABLE', message), requestId),
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.PreconditionFailure',
        violations: failed.map(({ name, reason }) => ({
          type: 'READINESS',
          subject: name,
          description: reason,
        })),
      },
    ],
  };
}
