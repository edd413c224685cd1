import { type Static, Type } from '@sinclair/typebox';
import { DomainRecord, DomainStatus } from '../rpc/domain-calls.js';
import { nullable } from '../shapes.js';

/** Longest domain name. The names of its DNS records need the rest of the 253 characters. */
export const DOMAIN_NAME_MAX = 200;

export const CreateDomainBody = Type.Object({
  name: Type.String({
    description: 'The domain of the From addresses, exactly.',
    minLength: 1,
    maxLength: DOMAIN_NAME_MAX,
    examples: ['mail.example.com'],
  }),
});
export type CreateDomainBody = Static<typeof CreateDomainBody>;

/** A domain that sends email. */
export const Domain = Type.Object({
  id: Type.String(),
  project_id: Type.String(),
  name: Type.String({ description: 'The domain.', examples: ['mail.example.com'] }),
  status: DomainStatus,
  records: Type.Array(DomainRecord),
  created_at: Type.String({ format: 'date-time' }),
  verified_at: nullable(Type.String({ format: 'date-time' })),
  last_checked_at: nullable(Type.String({ format: 'date-time' })),
});
export type Domain = Static<typeof Domain>;

/** The sender of account emails. */
export const PlatformEmail = Type.Object({
  from: nullable(Type.String()),
  /** Null while the domain is being created. */
  domain: nullable(Type.Omit(Domain, ['project_id'])),
});
export type PlatformEmail = Static<typeof PlatformEmail>;
