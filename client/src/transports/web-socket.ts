import type { Environment, Socket } from '../environment.ts';
import type { Transport } from './transport.ts';

/** How many times a socket is asked whether it is there before it is given up: pings of the server are not shown to programs. */
const PINGS = 4;

/** A subscription over `graphql-transport-ws`, on a WebSocket of its own. */
export function webSocket({ WebSocket, after }: Environment): Transport | null {
  if (WebSocket === null) return null;
  return {
    name: 'WebSocket',
    open({ url, query, variables, silenceMs }, { onBeat, onResult, onEnd }) {
      let socket: Socket;
      try {
        socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
      } catch (error) {
        // What a browser does not let a page open: an address without a host in some, one without TLS from a page with it.
        queueMicrotask(() => onEnd(String(error)));
        return () => {};
      }
      const send = (message: object) => socket.send(JSON.stringify(message));
      let stopPings = () => {};
      const ping = () => {
        stopPings = after(silenceMs / PINGS, () => {
          send({ type: 'ping' });
          ping();
        });
      };
      const end = (reason: string) => {
        stopPings();
        onEnd(reason);
      };
      socket.onopen = () => send({ type: 'connection_init' });
      socket.onerror = () => {}; // It closes after that.
      socket.onclose = ({ code, reason }) => end(`the WebSocket closed with ${code} ${reason}`.trim());
      const read = (data: unknown) => {
        const { type, payload } = JSON.parse(String(data));
        if (type === 'connection_ack') {
          send({ id: '1', type: 'subscribe', payload: { query, variables } });
          ping();
        } else if (type === 'ping') send({ type: 'pong' });
        else if (type === 'next') onResult(payload);
        else if (type === 'error') onResult({ errors: payload });
        else if (type === 'complete') end('the subscription is complete');
      };
      socket.onmessage = ({ data }) => {
        onBeat();
        try {
          read(data);
        } catch (error) {
          // No message of a gateway, or none that is understood. Nobody else catches what is thrown here.
          socket.close();
          end(String(error));
        }
      };
      return () => {
        stopPings();
        socket.close(1000);
      };
    },
  };
}
