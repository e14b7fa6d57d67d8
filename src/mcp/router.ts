import { type RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { badRequest } from '../engine/client-errors.ts';
import { isNestedTooDeep, parseJson } from '../engine/documents/operation-params.ts';
import type { Engine } from '../engine/engine.ts';
import { GatewayError, invalidArgument } from '../errors.ts';
import { onlyMethods } from '../http/limits/methods.ts';
import { makeOnce } from '../http/pages/serve-once.ts';
import { Answer } from '../http/write/answer.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { type Exchange, exchangeOf } from '../http/write/exchange.ts';
import type { AnswerMessage, CallTool } from './protocol.ts';
import { failedResult, runTool } from './run-tool.ts';
import { tools } from './tools.ts';

/** Where programs of language models ask. */
export const MCP_PATH = '/mcp';

export interface McpOptions {
  readonly engine: Engine;
  readonly writer: AnswerWriter;
  readonly logger: Logger;
  readonly version: string;
  /** Stands before what is dear, as before GraphQL. */
  readonly enter: RequestHandler;
  readonly isServed: boolean;
}

/**
 * Serves the Model Context Protocol as its streamable HTTP without sessions: a POST has one message, and its answer is one JSON
 * object. There is nothing to listen to, so GET is refused, as the protocol has it.
 */
export function createMcpRouter(options: McpOptions): Router {
  const { writer, enter, isServed, version } = options;
  const find = makeOnce(async () => (await import('./protocol.ts')).createProtocol(tools, version));
  const router = Router({ caseSensitive: true, strict: true });
  if (isServed)
    router.all(MCP_PATH, onlyMethods('POST'), enter, async (request, response) => {
      const exchange = exchangeOf(response);
      await writer.send(exchange, await answerPost(exchange, request.body, find, options));
    });
  else
    router.all(MCP_PATH, () => {
      throw new GatewayError(
        'NOT_FOUND',
        'This gateway does not serve the Model Context Protocol (MCP is off).',
      );
    });
  return router;
}

async function answerPost(
  { request, scope }: Exchange,
  body: unknown,
  find: () => Promise<AnswerMessage>,
  { engine, logger }: McpOptions,
): Promise<Answer> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const message = await engine.readBytes(scope.client, bytes.length, () => readMessage(bytes));
  const call: CallTool = async (tool, given, complaint) => {
    if (complaint === null) return runTool(tool, given, scope, { engine, logger });
    const error = invalidArgument('arguments', `The arguments cannot be taken: ${complaint}.`);
    engine.noteRejected('mcp', error);
    return failedResult(error, logger);
  };
  const answerMessage = await find();
  const headers = headersOf(request.headers);
  const made = await answerMessage(
    new Request(`http://gateway${MCP_PATH}`, { method: 'POST', headers }),
    message,
    call,
  );
  const type = made.headers.get('content-type') ?? 'application/json';
  return new Answer(type, await made.text(), ['Cache-Control', 'no-store'], { status: made.status });
}

/** Throws INVALID_ARGUMENT for what is no single message. */
function readMessage(body: Buffer): unknown {
  const message = parseJson(body);
  if (Array.isArray(message))
    throw badRequest('body', 'A request has one message: the protocol has no batches since 2025-06-18.');
  if (isNestedTooDeep(message)) throw badRequest('body', 'The message is nested too deep.');
  return message;
}

/** Those that the protocol reads. */
function headersOf(given: Exchange['request']['headers']): Record<string, string> {
  const names = ['accept', 'content-type', 'mcp-protocol-version'] as const;
  return Object.fromEntries(
    names.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]]] : [])),
  );
}
