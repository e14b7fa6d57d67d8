import type { JsonSchema } from '../rest/json-schema.ts';
import { asHtml, breakable, escapeHtml, renderDefinitions, renderExample, renderText } from './html.ts';
import { describeRest } from './openapi.ts';
import { renderReference } from './pages.ts';
import { renderType, renderTypes } from './type-tables.ts';

/*
 * The documented paths, for people: what OpenAPI says of them. A path stands with its parameters open, and with a recorded answer to
 * unfold; what its fields are stands in the tables of types.
 */

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
  const content = `<p>Programs read the same as <a href="/openapi.json">OpenAPI</a>. Each example is what the network of <code>periscope demo</code> answers.</p>
${groups.map(renderGroup).join('\n')}
<h2 id="common">What every path takes</h2>
${renderParameters(common)}
<h2 id="types">Types</h2>
${renderTypes(components.schemas)}`;
  const links = groups.map(({ name, anchor, operations }) => ({
    ...{ name, anchor },
    links: operations.map(({ operationId, path }) => [operationId, breakable(path)] as const),
  }));
  const beside = [['common', 'What every path takes'] as const, ['types', 'Types'] as const];
  return renderReference({
    title: 'REST reference',
    path: '/docs',
    document: '/openapi.json',
    summary: info.summary,
    description: info.description,
    content,
    all: { name: 'Paths', groups: [...links, { name: 'Beside them', anchor: 'common', links: beside }] },
  });
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

function renderGroup({ name, anchor, description, operations }: Group): string {
  return `<h2 id="${anchor}">${name}</h2>\n<p>${asHtml(description)}</p>\n${operations.map(renderOperation).join('\n')}`;
}

function renderOperation(operation: Group['operations'][number]): string {
  const { path, operationId, summary, description, parameters, responses } = operation;
  const own = parameters.filter((one): one is Parameter => 'name' in one);
  const answer = responses['200']?.content?.['application/json'];
  return `<section id="${operationId}">
<h3><a class="anchor" href="#${operationId}"><code>GET ${breakable(path)}</code></a></h3>
<p>${escapeHtml(summary)}.</p>
${description === undefined ? '' : renderText(description)}
${own.length === 0 ? '<p>It has no parameters of its own.</p>' : renderParameters(own)}
${answer === undefined ? '' : renderAnswer(answer)}
</section>`;
}

function renderParameters(parameters: readonly Parameter[]): string {
  return renderDefinitions(
    parameters.map(({ name, in: place, description, required, schema }) => {
      const where = place === 'query' ? '' : `, in the ${place}`;
      const note = `${renderType(schema)}${where}${required ? ', <span class="required">required</span>' : ''}`;
      return { name, note, description };
    }),
  );
}

/** What an answer is, and what was answered. */
function renderAnswer({ schema, examples = {} }: Content): string {
  const { properties } = schema;
  const members = Object.entries(properties ?? {}).map(
    ([name, one]) => `<code>${escapeHtml(name)}</code> (${renderType(one)})`,
  );
  const what = properties === undefined ? renderType(schema) : members.join(', ');
  const shown = Object.values(examples).map(({ summary, value }) => renderExample(summary, value));
  return `<p>It answers ${what}.</p>\n${shown.join('\n')}`;
}
