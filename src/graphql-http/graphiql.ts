import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveOnce } from '../http/pages/serve-once.ts';
import { Answer } from '../http/write/answer.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';

const EXAMPLE = `# Everything here is read-only. Press the play button, or Ctrl-Enter.
{
  block { height timestamp }
  markets(first: 3) {
    edges {
      node { id instrumentName state marketData { markPrice bestBidPrice bestOfferPrice } }
    }
  }
  deposits(first: 3) {
    totalCount
    edges { node { id amount status assetNode { symbol decimals } } cursor }
    pageInfo { hasNextPage endCursor }
  }
}
`;

/**
 * Serves GraphiQL to browsers: a page of 9 MB that carries its scripts itself, so that nothing is fetched from elsewhere.
 * It is made when it is first asked for.
 */
export function serveGraphiql(
  writer: AnswerWriter,
): (request: IncomingMessage, response: ServerResponse, next: () => void) => Promise<void> {
  const serve = serveOnce(writer, makePage);
  return async (request, response, next) => {
    if (!asksForPage(request)) return next();
    await serve(request, response);
  };
}

async function makePage(): Promise<Answer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({ title: 'Periscope', defaultQuery: EXAMPLE, endpoint: '/graphql' });
  const page = new Answer('text/html; charset=utf-8', html);
  // As bytes, which all who are being answered share.
  page.keep(() => {});
  return page;
}

/** As browsers ask when somebody goes there. */
function asksForPage({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false);
}
