import type { Dialect } from '../../api/dialect.ts';
import type { Envelope } from './envelope.ts';
import { providerEnvelope } from './provider.ts';
import { specificationEnvelope } from './specification.ts';

export const envelopes: Readonly<Record<Dialect, Envelope>> = {
  specification: specificationEnvelope,
  provider: providerEnvelope,
};
