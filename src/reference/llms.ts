import { INFO, MEMBERS, QUANTITIES } from './about.ts';
import type { Guide, GuideIndex } from './guide-index.ts';
import { withOrigin } from './guide-index.ts';

/** Where programs that read for people look first, as llmstxt.org has it. */
export const LLMS_PATH = '/llms.txt';

/** What of the gateway can be turned off. */
export interface Served {
  /** Whether the schema of GraphQL may be asked for. */
  readonly introspection: 'on' | 'off';
  /** Whether the Model Context Protocol is served. */
  readonly mcp: 'on' | 'off';
}

/** What this gateway is, how it is asked and where more is told, as Markdown whose links have its own address. */
export function writeLlms(index: GuideIndex, served: Served, origin: string | null): string {
  const text = `# ${INFO.title}

> ${INFO.summary} Nothing here changes data, and nobody has to say who they are.

${QUANTITIES} ${MEMBERS}

Every answer is of one block, and says of which: \`X-Block-Height\` in its head, or \`block { height }\` in GraphQL. What was at an
earlier block is asked with \`asOf\` (a height) or \`asOfTime\`.

## How to ask

- GraphQL: POST \`{"query": "...", "variables": {...}}\` to ${link('/graphql')} with \`Content-Type: application/json\`. Lists are connections: \`first\`, \`after\`, \`edges { node }\`, \`pageInfo { hasNextPage endCursor }\`. An operation has a cost, and one that is refused says why and what to do.
- REST: GET a path of ${link('/openapi.json')}, as in ${link('/api/v2/deposits?pagination.first=2')}. A whole list comes as CSV or lines of JSON with \`format=csv\` or \`format=ndjson\`.
- Streams: a snapshot of one block, then every change once: lines of JSON at ${link('/api/v2/stream/accounts')}, server-sent events there with \`Accept: text/event-stream\`, GraphQL subscriptions over WebSocket at ${link('/graphql')}.${served.mcp === 'on' ? MCP : ''}

## Descriptions for programs

${describeDocuments(served)}

${index.groups.map((group) => describeGroup(index, group)).join('\n\n')}
`;
  return withOrigin(text, origin);
}

const MCP = `
- Model Context Protocol (streamable HTTP, no sessions, no keys): ${link('/mcp')}, a few tools with units in their descriptions.`;

function describeDocuments({ introspection }: Served): string {
  const lines = [
    ...(introspection === 'on'
      ? [`- [The schema of GraphQL](${at('/schema.graphql')}): every type, field and argument with its unit`]
      : []),
    `- [OpenAPI](${at('/openapi.json')}): the REST paths, with examples`,
    `- [AsyncAPI](${at('/asyncapi.json')}): the streams and subscriptions`,
  ];
  return lines.join('\n');
}

/** What a guide is about is told by the names of its parts. */
function describeGroup({ guides }: GuideIndex, group: GuideIndex['groups'][number]): string {
  const lines = group.guides
    .flatMap((name) => guides.find((guide) => guide.name === name) ?? [])
    .map(describe);
  return `## ${group.title}\n\n${lines.join('\n')}`;
}

function describe({ name, title, parts }: Guide): string {
  const about = parts.length === 0 ? '' : `: ${parts.map(({ text }) => text).join('; ')}`;
  return `- [${title}](${at(`/docs/${name}.md`)})${about}`;
}

/** As examples are written, so that the same is put in their place. */
function at(path: string): string {
  return `http://127.0.0.1:3008${path}`;
}

function link(path: string): string {
  return `<${at(path)}>`;
}
