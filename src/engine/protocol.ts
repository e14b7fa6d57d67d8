/** On what an operation is asked; `rest` are the documented paths, `mcp` what programs of language models ask. */
export type OperationProtocol =
  | 'rest'
  | 'http'
  | 'batch'
  | 'mcp'
  | 'ndjson'
  | 'sse'
  | 'multipart'
  | 'websocket';
