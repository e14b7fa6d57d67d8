import type { GatewayError } from '../../errors.ts';

export const DIGEST = /^[0-9a-f]{64}$/;
const ANY_TEXT = /^[\s\S]{0,1000}$/;

/** Reads an object of the manifest, member by member. */
export class MemberReader {
  readonly #name: string;
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #fault: (what: string) => GatewayError;

  constructor(name: string, value: unknown, fault: (what: string) => GatewayError) {
    this.#name = name;
    this.#fault = fault;
    if (typeof value !== 'object' || value === null) throw fault(`${name} is no object`);
    this.#members = value as Readonly<Record<string, unknown>>;
  }

  get(member: string): unknown {
    return this.#members[member];
  }

  text(member: string, pattern = ANY_TEXT): string {
    const value = this.get(member);
    if (typeof value === 'string' && pattern.test(value)) return value;
    throw this.#wrong(member);
  }

  /** -1 stands before all positions. */
  bigint(member: string): bigint {
    return BigInt(this.text(member, /^(-1|\d{1,18})$/));
  }

  /** None where the manifest is of an older version. */
  positionsOf(member: string): Readonly<Record<string, bigint>> {
    const value = this.get(member) ?? {};
    const tables = new MemberReader(`${member} of ${this.#name}`, value, this.#fault);
    return Object.fromEntries(Object.keys(value).map((table) => [table, tables.bigint(table)]));
  }

  count(member: string): number {
    const value = this.get(member);
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
    throw this.#wrong(member);
  }

  digest(member: string): string | null {
    return this.get(member) === null ? null : this.text(member, DIGEST);
  }

  list(member: string): readonly MemberReader[] {
    const value = this.get(member);
    if (!Array.isArray(value)) throw this.#wrong(member);
    return value.map((one, index) => new MemberReader(`${member}[${index}]`, one, this.#fault));
  }

  #wrong(member: string): GatewayError {
    const value = JSON.stringify(this.get(member))?.slice(0, 80) ?? 'missing';
    return this.#fault(`${member} of ${this.#name} is ${value}`);
  }
}
