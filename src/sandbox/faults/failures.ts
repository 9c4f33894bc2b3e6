import type { EnvelopeWriter } from '../dialects/envelope.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { ApiRequest } from '../request.ts';
import type { FaultKind } from './fault.ts';

const errors: Partial<Readonly<Record<FaultKind, { readonly code: string | number; readonly text: string }>>> = {
  auth_error: { code: 'AUTH_ERROR', text: 'Username/password incorrect' },
  incorrect_request: { code: 'INCORRECT_REQUEST', text: 'The request is malformed' },
  method_error: { code: 'METHOD_ERROR', text: 'The method failed' },
  permission_denied: { code: 'PERMISSION_DENIED', text: 'Access to the method is forbidden' },
  limit_error: { code: 'LIMIT_ERROR', text: 'Request limit exceeded' },
  no_such_method: { code: 'NO_SUCH_METHOD', text: 'No such method' },
  invalid_data: { code: 'INVALID_DATA', text: 'Incorrect input data' },
  method_failed: { code: 'METHOD_FAILED', text: 'The method failed' },
  unknown_code: { code: 'MAINTENANCE_WINDOW', text: 'The account is being moved to another server' },
  numeric_code: { code: 1208, text: 'The password is too weak' },
};

/** The body of an answer with an error in the envelope; undefined if this kind of fault does not put an error in the envelope. */
export function failureFor(kind: FaultKind, envelope: EnvelopeWriter, request: ApiRequest): Json | undefined {
  const error = errors[kind];
  if (error !== undefined) {
    return envelope.failure(error.code, error.text);
  }
  const failed = envelope.codeOf(new Refusal('failed'));
  switch (kind) {
    case 'object_text':
      return envelope.failure(failed, { type: 'NOT_FOUND_ERROR', message: null });
    case 'echo':
      return envelope.failure(failed, `Could not serve ${describe(request)}`);
    case 'not_permitted': {
      const refusal = new Refusal('permission');
      return envelope.failure(envelope.codeOf(refusal), envelope.textOf(refusal, request.method));
    }
    default:
      return undefined;
  }
}

function describe({ login, password, token, raw }: ApiRequest): string {
  const parts = [`login=${login ?? ''}`, `passwd=${password ?? ''}`, `Authorization: Bearer ${token ?? ''}`, raw];
  return parts.join(' ');
}
