import type { IncomingMessage, ServerResponse } from 'node:http';
import { SCALAR_FORMS, type ScalarForm, scalarPath } from '../graphql/scalar-forms.ts';
import { Answer } from '../http/answer.ts';
import { chooseEncoding } from '../http/compress.ts';
import { sendAnswer } from '../http/send-answer.ts';

/** The path of the pages that `@specifiedBy` names, one for each scalar of the schema. */
export const SCALAR_PAGES = scalarPath(':name');

/** Serves the page of a scalar. It is made when it is first asked for; no other name has any. */
export function serveScalarPage(): (
  request: IncomingMessage & { readonly params: Readonly<Record<string, string>> },
  response: ServerResponse,
  next: () => void,
) => void | Promise<void> {
  const pages = new Map<string, Answer>();
  return (request, response, next) => {
    const { name = '' } = request.params;
    const form: ScalarForm | undefined = forms.get(name);
    if (form === undefined) return next();
    const page = pages.get(name) ?? new Answer('text/html; charset=utf-8', writePage(name, form), POLICY);
    pages.set(name, page);
    const encoding = chooseEncoding(request.headers['accept-encoding']) ?? 'identity';
    return sendAnswer(request, response, page, encoding);
  };
}

const forms: ReadonlyMap<string, ScalarForm> = new Map(Object.entries(SCALAR_FORMS));

/** The page has a style of its own, and nothing else. */
const POLICY = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
];

function writePage(name: string, { description, written, accepts, examples }: ScalarForm): string {
  const others = [...forms.keys()].map((one) =>
    one === name ? `<b>${one}</b>` : `<a href="${scalarPath(one)}">${one}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${name}, a scalar of Periscope</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem }
code { overflow-wrap: anywhere }
</style>
</head>
<body>
<main>
<h1>${name}</h1>
<p>${asHtml(description)}</p>
<h2>In answers</h2>
<p>A JSON string that matches <code>${escapeHtml(written.source)}</code>, as in ${listOf(examples)}.</p>
<h2>In arguments</h2>
<p>It takes ${asHtml(accepts)}. A number is taken too where it is exact: any literal of a document, and in the JSON of
variables an integer between -2<sup>53</sup> and 2<sup>53</sup>. What it does not take is refused with
<code>INVALID_ARGUMENT</code>, and the argument and the value are named.</p>
</main>
<nav aria-label="Scalars"><p>${others.join(' · ')}</p></nav>
</body>
</html>
`;
}

function listOf(examples: readonly string[]): string {
  return examples.map((example) => `<code>"${escapeHtml(example)}"</code>`).join(', ');
}

/** A sentence of ours, in which code stands between backticks. */
function asHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
