/** On what an operation is asked; `rest` are the documented paths. */
export type OperationProtocol = 'rest' | 'http' | 'batch' | 'ndjson' | 'sse' | 'multipart' | 'websocket';
