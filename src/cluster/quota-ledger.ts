import { GatewayError } from '../errors.ts';
import { createQuotas, type GiveBack, type QuotaLimits, type QuotaName } from '../http/limits/quota.ts';

/** The quotas of the machine, and which worker has taken what of them. */
export class QuotaLedger {
  readonly #quotas: ReturnType<typeof createQuotas>;
  readonly #taken = new Map<number, Map<number, GiveBack>>();

  constructor(limits: QuotaLimits) {
    this.#quotas = createQuotas(limits);
  }

  /** Takes one for a worker, which names the grant; says why not, or null. */
  take(worker: number, quota: QuotaName, client: string, grant: number): string | null {
    try {
      const giveBack = this.#quotas[quota].take(client);
      const grants = this.#taken.get(worker) ?? new Map<number, GiveBack>();
      this.#taken.set(worker, grants.set(grant, giveBack));
      return null;
    } catch (error) {
      if (error instanceof GatewayError) return error.message;
      throw error;
    }
  }

  giveBack(worker: number, grant: number): void {
    const grants = this.#taken.get(worker);
    grants?.get(grant)?.();
    grants?.delete(grant);
  }

  /** A worker is gone, and what it had is free. */
  forget(worker: number): void {
    for (const giveBack of this.#taken.get(worker)?.values() ?? []) giveBack();
    this.#taken.delete(worker);
  }
}
