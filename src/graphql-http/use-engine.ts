import type { IncomingMessage } from 'node:http';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Engine } from '../engine/engine.ts';
import type { Operation } from '../engine/question.ts';
import { outcomeOf, resultOf } from '../engine/run/json-result.ts';
import { ERROR_CODES, GatewayError } from '../errors.ts';
import type { Answer } from '../http/write/answer.ts';
import { exchangeOf } from '../http/write/exchange.ts';
import { dataAnswer, errorsAnswer, type ShownResult, shownResult } from './graphql-answer.ts';
import { chooseMediaType, takesEvents } from './media-types.ts';
import type { ServerContext } from './request-plugins.ts';

/** The answers that were made in the place of Yoga's own, by their requests. */
export type MadeAnswers = WeakMap<IncomingMessage, Answer>;

/**
 * Has Yoga do with operations what the engine does: it reads them where Yoga would parse and validate, and runs them
 * where Yoga would execute. Answers that are no streams are made as all others are; Yoga writes the streams.
 */
export function useEngine(
  engine: Engine,
  logger: Logger,
  answers: MadeAnswers,
): Plugin<ServerContext, ServerContext> {
  const operations = new WeakMap<IncomingMessage, Operation>();
  const operationOf = (context: unknown) => {
    const { req } = context as ServerContext;
    return operations.get(req) as Operation;
  };
  return {
    async onParams({ params, setParams, context }) {
      const { req, res } = context as unknown as ServerContext;
      const operation = await engine.read(params, 'http', exchangeOf(res).scope.client);
      operations.set(req, operation);
      setParams({ ...params, query: operation.document.loc?.source.body ?? '' });
    },
    onParse({ context, setParsedDocument }) {
      setParsedDocument(operationOf(context).document);
    },
    onValidate({ setResult }) {
      setResult([]);
    },
    onExecute({ args, setExecuteFn }) {
      const { res } = args.contextValue;
      const { scope } = exchangeOf(res);
      setExecuteFn(async () => resultOf(await engine.run(operationOf(args.contextValue), scope)));
    },
    onSubscribe({ args, setSubscribeFn }) {
      const { req, res } = args.contextValue;
      // Of a stream nothing would be left without its body, and it would never end.
      setSubscribeFn(async () => {
        if (req.method === 'HEAD') return { errors: [refuseHead()] };
        const operation = { ...operationOf(args.contextValue), protocol: 'sse' } as const;
        const begun = await engine.subscribe(operation, exchangeOf(res).scope);
        if (Symbol.asyncIterator in begun) {
          // The body is read no further when its connection is gone, and nobody else would end the stream.
          const leave = () => void begun.return();
          if (res.destroyed) leave();
          else res.once('close', leave);
        }
        return begun;
      });
    },
    onResultProcess({ result, setResult, setResultProcessor, serverContext: { req, res } }) {
      // The results of a stream are made as clients may see them.
      if (Array.isArray(result) || Symbol.asyncIterator in result) return;
      const shown = shownResult(result, { id: exchangeOf(res).id, logger });
      // Yoga, too, has no other, in whatever form it writes it.
      setResult(shown);
      const answer = answerTo(shown, req.headers.accept);
      if (answer === null) return;
      answers.set(req, answer);
      setResultProcessor((_result, fetchAPI) => new fetchAPI.Response(null), 'application/json');
    },
  };
}

/** Null where Yoga has to say that there is no such form, or to write the result as a stream of one. */
function answerTo(result: ShownResult, accept: string | undefined): Answer | null {
  const mediaType = chooseMediaType(accept);
  if (result.errors === undefined) return mediaType && dataAnswer(outcomeOf(result), mediaType);
  const otherwise = takesEvents(accept) ? 'application/json' : 'application/graphql-response+json';
  const answer = errorsAnswer(result, mediaType ?? otherwise);
  return mediaType !== null || answer.status >= 400 ? answer : null;
}

function refuseHead(): GatewayError {
  const error = new GatewayError('UNIMPLEMENTED', 'A subscription takes GET or POST, not HEAD.');
  const { status } = ERROR_CODES[error.code];
  error.extensions['http'] = { status, headers: { Allow: 'GET, POST' } };
  return error;
}
