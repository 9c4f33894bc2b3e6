import type { Envelope, Form } from './form.ts';
import { providerEnvelope } from './provider.ts';
import { specificationEnvelope } from './specification.ts';

export const envelopes: Readonly<Record<Form, Envelope>> = {
  specification: specificationEnvelope,
  provider: providerEnvelope,
};
