import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { KeptAnswers, MadeAnswer } from './kept-answers.ts';
import type { Rejection } from './limits/rejection.ts';
import type { RequestScope } from './request-scope.ts';
import type { Answer } from './write/answer.ts';
import type { FrontWriterOptions } from './write/front-writer.ts';
import type { HeaderList, ReadyHeaders } from './write/ready-head.ts';

/** What a plain request asks, as whoever serves its path has read it. */
export interface Question {
  /** Headers of its own, with which the answer begins, and the error too. */
  readonly head: HeaderList;
  /** Makes the answer. What it throws is for the application to answer with. */
  readonly make: (scope: RequestScope) => Promise<MadeAnswer>;
}

/** The paths that are asked with GET. */
export interface PlainGets {
  /** The headers that name the newest block. */
  readonly nameBlock: () => ReadyHeaders;
  /** Gives what reads an address as it was sent; null for a path that it does not serve. Neither throws. */
  readonly find: (url: string) => (() => Question) | null;
}

/** The path that is asked with POST. */
export interface PlainPosts {
  readonly path: string;
  /** Which form of answer a head asks for; null where anything in it is unusual. */
  readonly formOf: (headers: IncomingHttpHeaders) => string | null;
  /** Reads a body; null for one that is unusual. Never throws. */
  readonly read: (body: Buffer, form: string) => Question | null;
  /** Is told of a kept answer that is sent to another who asks. */
  readonly noteKept: (answer: Answer) => void;
  /** Notes for the application what a question came to that was not answered. */
  readonly noteFailure: (request: IncomingMessage, error: unknown) => void;
}

/** What plain requests are answered with, however one comes to read them. */
export interface PlainRequestOptions extends FrontWriterOptions {
  readonly kept: KeptAnswers;
  /** The refusal of a client's request that would have to wait too long; null where there is room. To be called for each that is read. */
  readonly rejectionFor: (client: string) => Rejection | null;
  readonly gets: PlainGets;
  readonly posts: PlainPosts;
}

/** Visible ASCII without the fragment, which no client should send: what Node, Express and we read in one way. */
export function isPlainUrl(url: string): boolean {
  return PLAIN_URL.test(url);
}

const PLAIN_URL = /^\/[!"$-~]*$/;
