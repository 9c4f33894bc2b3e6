import type { Envelope } from '../dialects/envelope.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { FaultKind } from './fault.ts';

/** Who called, as far as an error may give it away. */
export interface Caller {
  readonly login: string | undefined;
  readonly password: string | undefined;
  readonly token: string | undefined;
  /** Query and body as they came. */
  readonly raw: string;
}

/** The body of a fault that is an error of the envelope; undefined for the other kinds. */
export function failureFor(kind: FaultKind, envelope: Envelope, method: string, caller: Caller): Json | undefined {
  switch (kind) {
    case 'AUTH_ERROR':
    case 'INCORRECT_REQUEST':
    case 'METHOD_ERROR':
    case 'PERMISSION_DENIED':
    case 'LIMIT_ERROR':
    case 'NO_SUCH_METHOD':
    case 'INVALID_DATA':
    case 'METHOD_FAILED':
      return envelope.failure(kind, texts[kind]);
    case 'unknown_code':
      return envelope.failure('MAINTENANCE_WINDOW', 'The account is being moved to another server');
    case 'numeric_code':
      return envelope.failure(1208, 'The password is too weak');
    case 'object_text':
      return envelope.failure(failedCode(envelope), { type: 'NOT_FOUND_ERROR', message: null });
    case 'echo':
      return envelope.failure(failedCode(envelope), `Could not serve ${describe(caller)}`);
    case 'permission': {
      const refusal = new Refusal('permission');
      return envelope.failure(envelope.codeOf(refusal), envelope.textOf(refusal, method));
    }
    default:
      return undefined;
  }
}

const texts = {
  AUTH_ERROR: 'Username/password incorrect',
  INCORRECT_REQUEST: 'The request is malformed',
  METHOD_ERROR: 'The method failed',
  PERMISSION_DENIED: 'Access to the method is forbidden',
  LIMIT_ERROR: 'Request limit exceeded',
  NO_SUCH_METHOD: 'No such method',
  INVALID_DATA: 'Incorrect input data',
  METHOD_FAILED: 'The method failed',
} as const;

function failedCode(envelope: Envelope): string | number {
  return envelope.codeOf(new Refusal('failed'));
}

function describe({ login, password, token, raw }: Caller): string {
  const parts = [`login=${login ?? ''}`, `passwd=${password ?? ''}`, `Authorization: Bearer ${token ?? ''}`, raw];
  return parts.join(' ');
}
