import type { JsonSchema } from '../rest/json-schema.ts';
import { describeStreams } from './asyncapi.ts';
import { asHtml, breakable, escapeHtml, renderDefinitions, renderExample, renderText } from './html.ts';
import { renderReference } from './pages.ts';
import { renderType, renderTypes } from './type-tables.ts';

/*
 * The streams, for people: what AsyncAPI says of them. A documented stream stands with its parameters open and each sort of its
 * messages; a subscription of GraphQL leads to the reference of the schema.
 */

export function renderStreams(): string {
  const { info, channels, components } = describeStreams();
  const { graphql, ...documented } = channels as Readonly<Record<string, Channel>>;
  const streams = Object.entries(documented);
  const messages = components.messages as Readonly<Record<string, Message>>;
  const subscriptions = Object.keys(graphql?.messages ?? {});
  const content = `<p>Programs read the same as <a href="/asyncapi.json">AsyncAPI</a>. Each example is what the network of <code>periscope demo</code> tells.</p>
<h2 id="streams">Streams</h2>
${renderText(streams[0]?.[1].description ?? '')}
${streams.map(([name, channel]) => renderStream(name, channel, messages)).join('\n')}
<h2 id="subscriptions">Subscriptions</h2>
${renderText(graphql?.description ?? '')}
${renderSubscriptions(subscriptions, messages)}
<h2 id="types">Types</h2>
${renderTypes(components.schemas)}`;
  return renderReference({
    title: 'Streams reference',
    path: '/docs/streams',
    document: '/asyncapi.json',
    summary: `${info.title}: what follows the network, block by block.`,
    description: info.description,
    content,
    all: {
      name: 'Streams',
      groups: [
        {
          ...{ name: 'Streams', anchor: 'streams' },
          links: streams.map(([name, { address }]) => [name, breakable(address)] as const),
        },
        {
          ...{ name: 'Beside them', anchor: 'subscriptions' },
          links: [
            ['subscriptions', 'Subscriptions of GraphQL'],
            ['types', 'Types'],
          ],
        },
      ],
    },
  });
}

interface Channel {
  readonly address: string;
  readonly title: string;
  readonly description: string;
  readonly messages: Readonly<Record<string, unknown>>;
  readonly bindings: { readonly ws: { readonly query?: JsonSchema } };
}

interface Message {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly payload: JsonSchema;
  readonly examples?: readonly { readonly summary: string; readonly payload: unknown }[];
}

function renderStream(
  name: string,
  { address, title, messages, bindings }: Channel,
  all: Readonly<Record<string, Message>>,
): string {
  const parameters = Object.entries(bindings.ws.query?.properties ?? {});
  const sorts = Object.keys(messages).map((sort) => all[`${name}.${sort}`] as Message);
  return `<section id="${name}">
<h3><a class="anchor" href="#${name}"><code>GET ${breakable(address)}</code></a></h3>
<p>${escapeHtml(title)}.</p>
${renderDefinitions(parameters.map(([parameter, schema]) => ({ name: parameter, note: renderType(schema), description: schema.description ?? '' })))}
<p>Its messages:</p>
${renderDefinitions(sorts.map(defineMessage))}
</section>`;
}

function defineMessage({ title, description, payload, examples = [] }: Message) {
  const members = Object.entries(payload.properties ?? {}).map(
    ([name, one]) => `<code>${escapeHtml(name)}</code> (${renderType(one)})`,
  );
  const below = examples.map((one) => renderExample(one.summary, one.payload)).join('\n');
  return { name: title, note: members.join(', '), description: description ?? '', below };
}

function renderSubscriptions(names: readonly string[], all: Readonly<Record<string, Message>>): string {
  const rows = names.map(
    (name) =>
      `<li><a href="/docs/graphql#subscription-${name}"><code>${name}</code></a>: ${asHtml(firstSentence(all[`graphql.${name}`]?.description ?? ''))}</li>`,
  );
  return `<ul>\n${rows.join('\n')}\n</ul>`;
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}
