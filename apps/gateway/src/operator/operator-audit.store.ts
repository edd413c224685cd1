import { newId } from '@watchword/contracts';
import type { Queryable } from '@watchword/postgres';

export interface OperatorCall {
  requestId: string;
  method: string;
  path: string;
  clientIp: string;
}

/** Who did what: a row before the call takes effect, its outcome after it. */
export class OperatorAuditStore {
  constructor(private readonly database: Queryable) {}

  async begin({ requestId, method, path, clientIp }: OperatorCall): Promise<string> {
    const id = newId();
    await this.database.query(
      `INSERT INTO operator_audit (id, request_id, method, path, client_ip)
       VALUES ($1, $2, $3, $4, $5)`,
      [id, requestId, method, path, clientIp],
    );
    return id;
  }

  async complete(id: string, status: number, effect: unknown): Promise<void> {
    await this.database.query(
      `UPDATE operator_audit SET status = $2, effect = $3, completed_at = now() WHERE id = $1`,
      [id, status, effect === undefined ? null : JSON.stringify(effect)],
    );
  }
}
