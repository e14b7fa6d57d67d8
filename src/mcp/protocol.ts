import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type { ToolResult } from './run-tool.ts';
import type { Given, Tool } from './tool.ts';

/*
 * The Model Context Protocol, by its official SDK: 600 kB, loaded with the first request for it. All that it has to know of
 * the gateway it is given, so that nothing else is loaded with it.
 */

/** Runs a tool with what was given to it, or tells what is wrong with that, where something is. */
export type CallTool = (tool: Tool, given: Given, complaint: string | null) => Promise<ToolResult>;

/** Answers a message of a client, which is read already. It keeps nothing from one to the next: any gateway may answer the next. */
export type AnswerMessage = (request: Request, message: unknown, call: CallTool) => Promise<Response>;

const INSTRUCTIONS =
  'Read-only answers about a trading network. Every answer names its block; pass that height to ask something else as of the same block. Numbers are exact text in small units: the descriptions say how to turn them into what people say. Identifiers come from search and the lists.';

/** The schema of a call for how it is found: the server's own check behind it calls wrong params by their code, not an internal error. */
const AnyCallSchema = CallToolRequestSchema.omit({ params: true }).loose();

/** What every request is answered by; made once, since reading the schemas takes longer than an answer. */
export function createProtocol(tools: readonly Tool[], version: string): AnswerMessage {
  const validator = new AjvJsonSchemaValidator();
  const checked = new Map(
    tools.map((tool) => [tool.name, { tool, check: validator.getValidator<Given>(schemaOf(tool)) }]),
  );
  const listed = tools.map(describe);
  const options = { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: validator };
  return async (request, message, call) => {
    const server = new Server({ name: 'periscope', version }, options);
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
    server.setRequestHandler(AnyCallSchema, async (message) => {
      // The server has held it to the schema before.
      const { name, arguments: given = {} } = message['params'] as CallToolRequest['params'];
      const known = checked.get(name);
      if (known === undefined)
        throw new McpError(
          ErrorCode.InvalidParams,
          `There is no such tool; there are ${[...checked.keys()].join(', ')}.`,
        );
      const { valid, errorMessage = '' } = known.check(given);
      const { text, isError } = await call(known.tool, given, valid ? null : errorMessage);
      return { content: [{ type: 'text', text }], isError };
    });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      await server.close();
    }
  };
}

function describe(tool: Tool) {
  const { name, title, description } = tool;
  const annotations = { readOnlyHint: true, openWorldHint: false };
  return { name, title, description, inputSchema: schemaOf(tool), annotations };
}

function schemaOf({ arguments: properties, required }: Tool) {
  return {
    type: 'object' as const,
    properties: { ...properties },
    required: [...required],
    additionalProperties: false,
  };
}
