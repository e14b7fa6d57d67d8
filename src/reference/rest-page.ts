import type { JsonSchema } from '../rest/json-schema.ts';
import { asHtml, escapeHtml } from './html.ts';
import { describeRest } from './openapi.ts';
import { renderFrame } from './pages.ts';
import { renderType, renderTypes } from './type-tables.ts';

/*
 * The documented paths, for people: what OpenAPI says of them as one page that is there at once, without a script. A path
 * stands with its parameters open, and with a recorded answer to unfold; what its fields are stands in the tables of types.
 */

const TITLE = 'REST reference';

export function renderRest(): string {
  const { info, tags, paths, components } = describeRest();
  const operations = Object.entries<{ readonly get: Operation }>(paths).map(([path, { get }]) => ({
    path,
    ...get,
  }));
  const groups = tags.map(({ name, description }) => ({
    ...{ name, description, anchor: name.toLowerCase().replaceAll(' ', '-') },
    operations: operations.filter((one) => one.tags.includes(name)),
  }));
  const common: readonly Parameter[] = Object.values(components.parameters);
  const body = `<div class="guides reference">
<main class="text"><article>
<h1>${TITLE}</h1>
<a class="to-all" href="#all">All paths</a>
<p>${info.summary}</p>
${info.description.split('\n\n').map(paragraph).join('\n')}
<p>Programs read the same as <a href="/openapi.json">OpenAPI</a>. Each example is what the network of <code>periscope demo</code> answers.</p>
${groups.map(renderGroup).join('\n')}
<h2 id="common">What every path takes</h2>
${renderParameters(common)}
<h2 id="types">Types</h2>
${renderTypes(components.schemas)}
</article></main>
<nav id="all" aria-label="Paths">
${groups.map(renderLinks).join('\n')}
<h2>Beside them</h2>
<ul><li><a href="#common">What every path takes</a></li><li><a href="#types">Types</a></li></ul>
</nav>
</div>`;
  return renderFrame(TITLE, '/docs', body, { document: '/openapi.json', description: info.summary });
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly responses: Readonly<Record<string, Response>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface Response {
  readonly content?: Readonly<Record<string, Content>>;
}

interface Content {
  readonly schema: JsonSchema;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

interface Group {
  readonly name: string;
  readonly description: string;
  readonly anchor: string;
  readonly operations: readonly (Operation & { readonly path: string })[];
}

function renderLinks({ name, anchor, operations }: Group): string {
  const items = operations.map(
    ({ operationId, path }) => `<li><a href="#${operationId}">${breakable(path)}</a></li>`,
  );
  return `<h2><a href="#${anchor}">${name}</a></h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}

function renderGroup({ name, anchor, description, operations }: Group): string {
  return `<h2 id="${anchor}">${name}</h2>\n${paragraph(description)}\n${operations.map(renderOperation).join('\n')}`;
}

function renderOperation(operation: Group['operations'][number]): string {
  const { path, operationId, summary, description, parameters, responses } = operation;
  const own = parameters.filter((one): one is Parameter => 'name' in one);
  const answer = responses['200']?.content?.['application/json'];
  return `<section id="${operationId}">
<h3><a class="anchor" href="#${operationId}"><code>GET ${breakable(path)}</code></a></h3>
<p>${escapeHtml(summary)}.</p>
${description === undefined ? '' : paragraph(description)}
${own.length === 0 ? '<p>It has no parameters of its own.</p>' : renderParameters(own)}
${answer === undefined ? '' : renderAnswer(answer)}
</section>`;
}

function renderParameters(parameters: readonly Parameter[]): string {
  const rows = parameters.map(
    ({ name, in: place, description, required, schema }) => `<dt><code>${breakable(name)}</code>
<small>${renderType(schema)}${place === 'query' ? '' : `, in the ${place}`}${required ? ', <span class="required">required</span>' : ''}</small></dt>
<dd>${asHtml(description)}</dd>`,
  );
  return `<dl class="fields">\n${rows.join('\n')}\n</dl>`;
}

/** What an answer is, and what was answered. */
function renderAnswer({ schema, examples = {} }: Content): string {
  const { properties } = schema;
  const members = Object.entries(properties ?? {}).map(
    ([name, one]) => `<code>${escapeHtml(name)}</code> (${renderType(one)})`,
  );
  const what = properties === undefined ? renderType(schema) : members.join(', ');
  const shown = Object.values(examples).map(
    ({ summary, value }) => `<details><summary>Example: <code>${breakable(summary)}</code></summary>
<pre tabindex="0"><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre></details>`,
  );
  return `<p>It answers ${what}.</p>\n${shown.join('\n')}`;
}

function paragraph(text: string): string {
  return `<p>${asHtml(text)}</p>`;
}

/** A path or a name, which may go on below behind each of its parts. */
function breakable(text: string): string {
  return escapeHtml(text).replace(/[/.?]|&amp;/g, '$&<wbr>');
}
