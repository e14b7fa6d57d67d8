import examples from './examples.json' with { type: 'json' };

/** A request and what the simulated network of \`npm run demo\` answered to it. */
export interface Example {
  /** As the router knows it: `/api/v2/deposit/:id`. */
  readonly path: string;
  /** The address that was asked, without the host. */
  readonly request: string;
  readonly status: number;
  readonly answer: unknown;
}

/** The answers that a test recorded, and holds to what a gateway gives. */
export const EXAMPLES: { readonly answers: readonly Example[]; readonly messages: readonly Message[] } =
  examples;

/** The messages of a stream, of each sort one. */
export interface Message {
  readonly path: string;
  readonly request: string;
  readonly name: string;
  readonly message: unknown;
}

/** What a request that was answered with 200 gave for each parameter, by its name. */
export function examplesOfParameters(path: string): ReadonlyMap<string, string> {
  const request = EXAMPLES.answers.find((one) => one.path === path && one.status === 200)?.request ?? '';
  const [given = '', query = ''] = request.split('?');
  const inPath = path
    .split('/')
    .flatMap((part, index) =>
      part.startsWith(':') ? [[part.slice(1), given.split('/')[index] ?? ''] as const] : [],
    );
  return new Map([...inPath, ...new URLSearchParams(query)]);
}
